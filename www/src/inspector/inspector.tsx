/** The panel beside the chat: what left the browser, what the model saw, the same for other backends, and how each call moved. */
import type { Session } from '../session/session';
import { useGateLog, useRecord, useWire } from '../session/use-session';
import { BackendsPanel } from './backends-panel';
import { PromptPanel } from './prompt-panel';
import { SentPanel, sheetsOf } from './sent-panel';
import { Tabs } from './tabs';
import { shownMoves, TransitionsPanel } from './transitions-panel';

export function Inspector({ session }: { session: Session }) {
  const wire = useWire(session);
  const record = useRecord(session);
  const log = shownMoves(useGateLog(session));
  return (
    <section className="inspector" aria-label="Inspector">
      <h2 className="hidden">Inspector</h2>
      <Tabs
        label="Inspector"
        tabs={[
          { id: 'sent', label: 'What left', count: sheetsOf(record, wire).length, panel: <SentPanel session={session} wire={wire} record={record} /> },
          {
            id: 'saw',
            label: 'What the model saw',
            count: record.modelCalls.length,
            panel: <PromptPanel calls={record.modelCalls} model={record.model} />,
          },
          { id: 'backends', label: 'Backends', count: 0, panel: <BackendsPanel session={session} /> },
          { id: 'moves', label: 'Transitions', count: log.length, panel: <TransitionsPanel session={session} log={log} /> },
        ]}
      />
    </section>
  );
}
