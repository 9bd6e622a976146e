/** The bug museum: a list of bugs, and the chosen one. The address names the bug and the version of the AI SDK. */
import { useEffect, useState } from 'react';
import { Brand, SiteNav } from '../site-nav';
import { MUSEUM } from '../session/pages';
import { ExhibitView } from './exhibit';
import { bugs, harms, pairOf, VERSIONS, type Bug, type Version } from './run';
import { Words } from './words';

interface Choice {
  readonly bug: Bug;
  readonly version: Version;
}

/** The bug that is shown first. */
const FIRST = bugs[0]!;

export function Museum() {
  const [{ bug, version }, setChoice] = useState(chosen);
  const choose = (change: Partial<Choice>): void => {
    const next = { bug, version, ...change };
    history.replaceState(null, '', `?${new URLSearchParams({ bug: next.bug.id, ai: String(next.version) })}`);
    setChoice(next);
  };
  useEffect(() => {
    document.title = `${bug.title.replaceAll('`', '')} · Toolgate`;
  }, [bug]);
  return (
    <div className="page museum">
      <header className="top">
        <Brand more="the bug museum" />
        <p className="tagline">What goes wrong in a chat that asks before it acts.</p>
        <SiteNav current={MUSEUM.name} />
      </header>
      <main className="museum-panes">
        <nav className="bugs" aria-label="Bugs">
          {harms.map(({ name, bugs }) => (
            <section key={name} aria-label={name}>
              <h2>{name}</h2>
              <ul>
                {bugs.map((one) => (
                  <li key={one.id}>
                    <button
                      type="button"
                      aria-current={one === bug ? 'true' : undefined}
                      onClick={() => choose({ bug: one })}
                    >
                      <Words>{one.title}</Words>
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
        <div className="hall">
          <p className="about">
            Both chats run in this page, each with a real <code>streamText</code> server of its own, whose model follows
            a script. Every result is computed from what the server recorded.{' '}
            <a href="./docs/bugs.html">The whole table</a>
          </p>
          <label className="bug-select">
            <span>Bug</span>
            <select value={bug.id} onChange={(event) => choose({ bug: bugById(event.target.value) })}>
              {harms.map(({ name, bugs }) => (
                <optgroup key={name} label={name}>
                  {bugs.map(({ id, title }) => (
                    <option key={id} value={id}>
                      {title.replaceAll('`', '')}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </label>
          <fieldset className="versions">
            <legend>AI SDK</legend>
            {VERSIONS.map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="version"
                  checked={one === version}
                  onChange={() => choose({ version: one })}
                />
                {pairOf(one).plain.name}
              </label>
            ))}
          </fieldset>
          <ExhibitView key={`${bug.id} ${version}`} bug={bug} version={version} />
        </div>
      </main>
    </div>
  );
}

function chosen(): Choice {
  const query = new URLSearchParams(location.search);
  return { bug: bugById(query.get('bug')), version: query.get('ai') === '6' ? 6 : 7 };
}

function bugById(wanted: string | null): Bug {
  return bugs.find(({ id }) => id === wanted) ?? FIRST;
}
