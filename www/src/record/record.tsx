/**
 * The panel beside the chat, for what the gate cannot know: the sent requests, the model's prompts, and the pressed
 * buttons.
 */
import type { Session } from '../session/session';
import { usePresses, useRecord, useWire } from '../chat/use-session';
import { PressesPanel } from './presses-panel';
import { PromptPanel } from './prompt-panel';
import { SentPanel, sheetsOf } from './sent-panel';
import { Tabs } from './tabs';

export function Record({ session }: { session: Session }) {
  const wire = useWire(session);
  const record = useRecord(session);
  const log = usePresses(session);
  return (
    <section className="record" aria-label="Record">
      <h2 className="hidden">Record</h2>
      <Tabs
        label="Record"
        tabs={[
          {
            id: 'sent',
            label: 'Sent requests',
            count: sheetsOf(record, wire).length,
            panel: <SentPanel session={session} wire={wire} record={record} />,
          },
          {
            id: 'saw',
            label: 'What the model saw',
            count: record.modelCalls.length,
            panel: <PromptPanel calls={record.modelCalls} model={record.model} />,
          },
          { id: 'presses', label: 'Presses', count: log.length, panel: <PressesPanel session={session} log={log} /> },
        ]}
      />
    </section>
  );
}
