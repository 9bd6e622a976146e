/** The page: header, scenarios and files, chat, record, inspector. It owns which view is shown on a small screen. */
import type { Chat } from '@ai-sdk/react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useGateView } from 'toolgate/react';
import { ChatPane } from './chat/chat-pane';
import { ChatStrip } from './chat/chat-strip';
import { Header } from './header';
import { InspectorDock } from './inspector-dock';
import { FilesPanel } from './record/files-panel';
import { Record } from './record/record';
import { ScenarioList, ScenarioSteps } from './scenario-picker';
import type { Scenario } from './scenarios/index';
import type { ChatMessage } from './session/message-types';
import type { OpenChat } from './session/open-chat';

const VIEWS = [
  ['chat', 'Chat'],
  ['files', 'Files'],
  ['record', 'Record'],
] as const;

type View = (typeof VIEWS)[number][0];

/** Props of `App`. */
export interface AppProps {
  open: OpenChat<Chat<ChatMessage>>;
}

export function App({ open }: AppProps) {
  const { session, isOpening } = useSyncExternalStore(open.subscribe, open.get);
  const [view, setView] = useState<View>('chat');
  const [isInspecting, inspect] = useState(false);
  const { scenario, gate } = session;
  const { hasServer } = open;
  const hasBegun = useGateView(({ messages }) => messages.length > 0, gate);
  const waiting = useGateView(({ pending }) => pending.length, gate);

  // “Start over” disappears with the conversation, so the focus moves to where the next one begins.
  const startedOver = useRef(false);
  useEffect(() => {
    if (startedOver.current) document.querySelector<HTMLElement>('.opening')?.focus();
    startedOver.current = false;
  }, [session]);

  const choose = (next: Scenario): void => {
    open.choose(next);
    setView('chat');
  };

  const startOver = (): void => {
    startedOver.current = true;
    open.startOver();
    setView('chat');
  };

  return (
    <div className="page" data-view={view}>
      <Header
        scenario={scenario}
        choose={choose}
        hasServer={hasServer}
        hasBegun={hasBegun}
        startOver={startOver}
        isInspecting={isInspecting}
        inspect={inspect}
      />
      <nav className="views" aria-label="View">
        {VIEWS.map(([id, name]) => (
          <button key={id} type="button" aria-pressed={view === id} onClick={() => setView(id)}>
            {name}
            {id === 'chat' && waiting > 0 ? <Waiting count={waiting} /> : null}
          </button>
        ))}
      </nav>
      <main className="panes">
        <div className="rail">
          <ScenarioList current={scenario} choose={choose} hasServer={hasServer} />
          {/* An empty chat lists these steps itself. */}
          {hasBegun ? <ScenarioSteps current={scenario} /> : null}
          <FilesPanel session={session} />
        </div>
        <div className="center">
          <ChatStrip session={session} choosePolicy={(onDeny) => open.startOver({ onDeny })} />
          <ChatPane key={session.id} session={session} isOpening={isOpening} />
        </div>
        <Record key={`${session.id}-record`} session={session} />
      </main>
      {isInspecting ? <InspectorDock gate={gate} close={() => inspect(false)} /> : null}
    </div>
  );
}

function Waiting({ count }: { count: number }) {
  return (
    <span className="count">
      {count}
      <span className="hidden"> waiting</span>
    </span>
  );
}
