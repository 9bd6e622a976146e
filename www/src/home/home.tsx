/** The first page: what Toolgate is, a failure with and without it, the code, the card, and what it costs. */
import facts from 'virtual:facts';
import { lazy, Suspense } from 'react';
import { Mark } from '../chat/icons';
import { CopyButton } from '../copy-button';
import { DOCS, FRAMEWORK_PAGES, MUSEUM, type SitePage } from '../session/pages';
import { SiteNav } from '../site-nav';
import { CardStates } from './card-states';
import { Code } from './code';

/** It has the AI SDK in two versions, so the page is shown before it is loaded. */
const Duel = lazy(async () => ({ default: (await import('./duel')).Duel }));

const DEMO = FRAMEWORK_PAGES[0]!.file;

const COMMAND = 'npm install toolgate';

/** The pages to which the header links. */
const PAGES: readonly SitePage[] = [
  { name: MUSEUM.name, file: MUSEUM.file },
  { name: 'Demo', file: DEMO },
];

export function Home() {
  return (
    <div className="home">
      <header className="top">
        <div className="brand">
          <Mark />
          <span className="name">Toolgate</span>
        </div>
        <SiteNav pages={PAGES} />
      </header>
      <main>
        <section className="hero" aria-labelledby="promise">
          <h1 id="promise">A denied tool never runs. An approved one runs once.</h1>
          <p className="lead">
            Toolgate is a JavaScript library for chats whose AI asks before it uses a tool. It works with{' '}
            <code>useChat</code> in React, Svelte and Vue, without a framework, and with {facts.backends} backends. Your
            interface and your server stay as they are.
          </p>
          <div className="acts">
            <div className="install">
              <code>{COMMAND}</code>
              <CopyButton text={COMMAND} />
            </div>
            <a className="button primary" href={`${DOCS}start-react.html`}>
              Start
            </a>
            <a className="button" href={DEMO}>
              Try the demo
            </a>
          </div>
        </section>
        <section aria-labelledby="live">
          <h2 id="live">The same failure, without it and with it</h2>
          <p className="about">
            Both chats run in this page, each with a real <code>streamText</code> server. What you read is what the
            servers counted.
          </p>
          <Suspense fallback={<p className="duel-place">Loading both chats…</p>}>
            <Duel />
          </Suspense>
          <p className="about">
            <a href={MUSEUM.file}>All {facts.cases} cases</a>, with each step, and what the model read.
          </p>
        </section>
        <section aria-labelledby="code">
          <h2 id="code">The code</h2>
          <Code />
        </section>
        <section aria-labelledby="card">
          <h2 id="card">The card that your users see</h2>
          <CardStates />
        </section>
        <section aria-labelledby="numbers">
          <h2 id="numbers">In numbers</h2>
          <dl className="numbers">
            <Figure value={`${facts.wrong} of ${facts.cases}`}>
              cases go wrong with <code>ai</code> {facts.version} alone; none with Toolgate.{' '}
              <a href={`${DOCS}bugs.html`}>The table</a>
            </Figure>
            <Figure value={`${facts.kilobytes} KB`}>
              are loaded before the page is shown, {facts.whole} KB in all (gzip).{' '}
              <a href={`${DOCS}faq.html#how-much-does-it-add-to-my-page`}>By entry point</a>
            </Figure>
            <Figure value={String(facts.languages)}>
              languages on the card, usable by keyboard and screen reader. <a href={`${DOCS}element.html`}>The card</a>
            </Figure>
          </dl>
        </section>
        <section aria-labelledby="not">
          <h2 id="not">When you do not need it</h2>
          <p className="about">
            No tool asks the user; a tool may run twice and nobody minds; approvals happen elsewhere, such as in Slack.{' '}
            <a href={`${DOCS}when-not.html`}>What to use then</a>
          </p>
        </section>
      </main>
      <footer className="about">
        Version {facts.release}. MIT or Apache-2.0. <a href={DOCS}>Documentation</a>
      </footer>
    </div>
  );
}

function Figure({ value, children }: { value: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{value}</dt>
      <dd>{children}</dd>
    </div>
  );
}
