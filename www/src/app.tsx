/** The page: header, scenarios and files, chat, inspector. It owns which view is shown on a small screen. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ChatPane } from './chat/chat-pane';
import { ChatStrip } from './chat/chat-strip';
import { Icon, Mark } from './chat/icons';
import { FilesPanel } from './inspector/files-panel';
import { Inspector } from './inspector/inspector';
import { ScenarioList, ScenarioSelect, ScenarioSteps } from './scenario-picker';
import type { Scenario } from './scenarios/index';
import type { SessionSettings } from './session/connection';
import type { Session } from './session/session';
import { useOpenSession } from './session/use-open-session';
import { useGate } from './session/use-session';

const VIEWS = [
  ['chat', 'Chat'],
  ['files', 'Files'],
  ['inspector', 'Inspector'],
] as const;

type View = (typeof VIEWS)[number][0];

/** Props of `App`. */
export interface AppProps {
  /** The chat that is open at first. */
  first: Session;
  settings: SessionSettings;
}

export function App({ first, settings }: AppProps) {
  const { session, isOpening, choose, startOver } = useOpenSession(first, settings);
  const [view, setView] = useState<View>('chat');
  const hasServer = settings.backend !== 'embedded';

  // The inspector's data, for people who like a console, and for the browser tests.
  useEffect(() => {
    window.__backend = {
      id: session.id,
      record: () => session.record.get(),
      sent: () => session.wire.get(),
      log: () => session.log.get(),
      kept: () => session.saved(),
    };
  }, [session]);

  // “Start over” goes with the conversation; the focus goes where the next one begins.
  const startedOver = useRef(false);
  useEffect(() => {
    if (startedOver.current) document.querySelector<HTMLElement>('.opening')?.focus();
    startedOver.current = false;
  }, [session]);

  const show = (next: Scenario): void => {
    choose(next);
    setView('chat');
  };

  return (
    <div className="page" data-view={view}>
      <Header
        session={session}
        choose={show}
        startOver={() => {
          startedOver.current = true;
          startOver();
          setView('chat');
        }}
        hasServer={hasServer}
      />
      <nav className="views" aria-label="View">
        {VIEWS.map(([id, name]) => (
          <button key={id} type="button" aria-pressed={view === id} onClick={() => setView(id)}>
            {name}
            {id === 'chat' ? <Pending session={session} /> : null}
          </button>
        ))}
      </nav>
      <main className="panes">
        <div className="rail">
          <ScenarioList current={session.scenario} choose={show} hasServer={hasServer} />
          <Begun session={session}>
            <ScenarioSteps current={session.scenario} />
          </Begun>
          <FilesPanel session={session} />
        </div>
        <div className="center">
          <ChatStrip session={session} choosePolicy={(onDeny) => startOver({ onDeny })} />
          <ChatPane key={session.id} session={session} isOpening={isOpening} />
        </div>
        <Inspector key={`${session.id}-inspector`} session={session} />
      </main>
    </div>
  );
}

/** Shows its content once the conversation has begun: an empty chat says what to try by itself. */
function Begun({ session, children }: { session: Session; children: ReactNode }) {
  return useGate(session.gate).messages.length > 0 ? children : null;
}

function Pending({ session }: { session: Session }) {
  const { pending } = useGate(session.gate);
  return pending.length > 0 ? (
    <span className="count">
      {pending.length}
      <span className="hidden"> waiting</span>
    </span>
  ) : null;
}

interface HeaderProps {
  session: Session;
  choose: (scenario: Scenario) => void;
  startOver: () => void;
  hasServer: boolean;
}

function Header({ session, choose, startOver, hasServer }: HeaderProps) {
  return (
    <header className="top">
      <div className="brand">
        <Mark />
        <h1>Toolgate</h1>
      </div>
      <p className="tagline">
        A chat that asks before it acts. The panel shows what left this page, and what the model was told.
      </p>
      <ScenarioSelect current={session.scenario} choose={choose} hasServer={hasServer} />
      <Begun session={session}>
        <button type="button" className="button small start-over" onClick={startOver}>
          <Icon name="again" />
          <span className="start-over-label">Start over</span>
        </button>
      </Begun>
      <details className="how">
        <summary>
          <span className="wide">How it works</span>
          <span className="narrow">About</span>
        </summary>
        <div className="how-text">
          <p>
            The chat is an ordinary <code>useChat</code> of the AI SDK, made safe with one line:{' '}
            <code>guard(new Chat(options))</code>. Behind it, the real <code>streamText</code> runs{' '}
            {hasServer ? 'on the server of this page' : 'in this page'} with a model that follows a script, so nothing here needs a
            key.
          </p>
          <p>
            Toolgate holds your answers until every call of a step is decided, sends them in one request with a key, never sends
            them twice by itself, and never invents an output for a call that you denied. The README shows how to add it to a chat of
            your own.
          </p>
        </div>
      </details>
    </header>
  );
}

declare global {
  interface Window {
    /** The chat's id, what the inspector shows, as plain JSON, and a promise for when all of the chat is stored. */
    __backend?: { id: string; record: () => unknown; sent: () => unknown; log: () => unknown; kept: () => Promise<void> };
  }
}
