/**
 * The header: the pages of the site; the list of scenarios, if there is no room for it beside the chat; and buttons for
 * the whole page.
 */
import type { ReactNode } from 'react';
import { Icon } from './chat/icons';
import { ScenarioSelect } from './scenario-picker';
import type { Scenario } from './scenarios/index';
import { INSPECTOR_BUTTON } from './session/inspect-in';
import { Brand, SiteNav } from './site-nav';

/** Props of `Header`. */
export interface HeaderProps {
  scenario: Scenario;
  choose: (scenario: Scenario) => void;
  hasServer: boolean;
  /** The conversation has begun. */
  hasBegun: boolean;
  startOver: () => void;
  isInspecting: boolean;
  inspect: (isWanted: boolean) => void;
}

export function Header({ scenario, choose, hasServer, hasBegun, startOver, isInspecting, inspect }: HeaderProps) {
  return (
    <header className="top">
      <Brand />
      <p className="tagline">A chat that asks before it acts.</p>
      <SiteNav current="React" scenarioId={scenario.id} />
      <ScenarioSelect current={scenario} choose={choose} hasServer={hasServer} />
      <div className="top-buttons">
        <button
          type="button"
          id={INSPECTOR_BUTTON}
          className="button small"
          aria-expanded={isInspecting}
          aria-controls="inspector"
          onClick={() => inspect(!isInspecting)}
        >
          Inspector
        </button>
        {hasBegun ? (
          <button type="button" className="button small start-over" onClick={startOver}>
            <Icon name="again" />
            <span className="start-over-label">Start over</span>
          </button>
        ) : null}
        <How>
          <p>
            The chat is an ordinary <code>useChat</code> of the AI SDK, made safe with one line:{' '}
            <code>guard(new Chat(options))</code>. On the other side, the real <code>streamText</code> runs{' '}
            {hasServer ? 'on the server of this page' : 'in this page'}, by default with a model that follows a script,
            so nothing here needs a key.
          </p>
          <p>
            Toolgate holds your decisions until every call of a step is decided, sends them in one request with a key,
            never sends them again unless you retry, and never invents an output for a denied call. The README shows how
            to add it to a chat of your own.
          </p>
        </How>
      </div>
    </header>
  );
}

function How({ children }: { children: ReactNode }) {
  return (
    <details className="how">
      <summary>
        <span className="wide">How it works</span>
        <span className="narrow">About</span>
      </summary>
      <div className="how-text">{children}</div>
    </details>
  );
}
