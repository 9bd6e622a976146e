/**
 * “What left”: every request that left this page, with its key, its attempt, how it was delivered and the decisions
 * in it; above them, what is held back. Requests come from the page's own network log, delivery from the gate.
 */
import type { BackendRecord, ReceivedDecision } from '../backend/record';
import { Icon } from '../chat/icons';
import { callNoun, callsOf, type CallView } from '../session/message-types';
import type { Session } from '../session/session';
import { useGate } from '../session/use-session';
import type { WireEntry } from '../session/wire-log';
import { Json } from './json';

/** Props of `SentPanel`. */
export interface SentPanelProps {
  session: Session;
  wire: readonly WireEntry[];
  record: BackendRecord;
}

export function SentPanel({ session, wire, record }: SentPanelProps) {
  const { gate } = session;
  const view = useGate(gate);
  const calls = new Map(session.chat.messages.flatMap(callsOf).map((call) => [call.toolCallId, call]));
  const undelivered = new Map(gate.undelivered().map((item) => [item.key, item.delivery as string]));
  const held = [...calls.values()].filter((call) => call.delivery === 'held' || call.delivery === 'ready');
  return (
    <>
      {held.length > 0 ? <Held held={held} waiting={view.pending.length} /> : null}
      {wire.length === 0 ? (
        <p className="blank">Nothing has left this page. Each request will stand here, with its key and the decisions it carries.</p>
      ) : null}
      <ol className="sheets" reversed>
        {[...wire].reverse().map((entry) => (
          <Sent
            key={entry.n}
            entry={entry}
            calls={calls}
            trouble={isLatest(entry, wire) && entry.key !== null ? undelivered.get(entry.key) : undefined}
            arrivals={record.requests.filter(({ key }) => key !== null && key === entry.key).length}
          />
        ))}
      </ol>
    </>
  );
}

/** Only the last attempt of a key can still be in trouble. */
function isLatest(entry: WireEntry, wire: readonly WireEntry[]): boolean {
  return !wire.some(({ key, n }) => key === entry.key && n > entry.n);
}

function Held({ held, waiting }: { held: readonly CallView[]; waiting: number }) {
  return (
    <section className="sheet held" aria-label="Held back">
      <header className="sheet-head">
        <h3>Held back</h3>
        <span className="pill tone-wait">Not sent</span>
      </header>
      <p className="sheet-note">
        {waiting > 0
          ? `Leaves in one request when ${waiting === 1 ? 'the last open call is' : `the ${waiting} open calls are`} decided.`
          : 'Leaves when the current reply has ended.'}
      </p>
      <Decisions decisions={held.map((call) => ({ ...call, approved: call.approved ?? false, noun: callNoun(call) }))} />
    </section>
  );
}

const STATES: Readonly<Record<string, readonly [label: string, tone: string]>> = {
  sending: ['In flight', 'busy'],
  answering: ['Acknowledged, replying', 'busy'],
  answered: ['Acknowledged', 'yes'],
  failed: ['Failed', 'bad'],
  stopped: ['Stopped', 'quiet'],
  stalled: ['Stalled', 'bad'],
  unconfirmed: ['Unconfirmed', 'bad'],
};

interface SentProps {
  entry: WireEntry;
  calls: ReadonlyMap<string, CallView>;
  trouble: string | undefined;
  /** How often the backend received this key. */
  arrivals: number;
}

function Sent({ entry, calls, trouble, arrivals }: SentProps) {
  const [label, tone] = STATES[trouble ?? entry.state] ?? STATES['failed']!;
  const noun = (decision: ReceivedDecision): string => {
    const call = calls.get(decision.toolCallId);
    return call ? callNoun(call) : decision.toolName;
  };
  return (
    <li className="sheet" data-request={entry.n}>
      <header className="sheet-head">
        <h3>{entry.userText === null ? count(entry.decisions.length) : 'A message'}</h3>
        <span className={`pill tone-${tone}`}>{label}</span>
      </header>
      {entry.userText ? <p className="sheet-quote">{entry.userText}</p> : null}
      <Decisions decisions={entry.decisions.map((decision) => ({ ...decision, noun: noun(decision) }))} />
      <dl className="facts">
        <div>
          <dt>Key</dt>
          <dd>
            <code>{entry.key ?? 'none'}</code>
          </dd>
        </div>
        <div>
          <dt>Attempt</dt>
          <dd>{entry.attempt}</dd>
        </div>
        <div>
          <dt>Server got it</dt>
          <dd>{entry.key === null ? 'not known' : arrivals === 0 ? 'never' : arrivals === 1 ? 'once' : `${arrivals} times`}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd>{entry.bytes.toLocaleString('en')} bytes</dd>
        </div>
        {entry.error ? (
          <div>
            <dt>Error</dt>
            <dd>{entry.error}</dd>
          </div>
        ) : null}
      </dl>
      <Json label="The body, as it left" value={entry.body} />
    </li>
  );
}

function count(decisions: number): string {
  if (decisions === 0) return 'The conversation';
  return decisions === 1 ? 'One decision' : `${decisions} decisions`;
}

interface ShownDecision {
  toolCallId: string;
  approved: boolean;
  reason?: string;
  noun: string;
}

function Decisions({ decisions }: { decisions: readonly ShownDecision[] }) {
  if (decisions.length === 0) return null;
  return (
    <ul className="decisions">
      {decisions.map(({ toolCallId, approved, reason, noun }) => (
        <li key={toolCallId} className={approved ? 'tone-yes' : 'tone-no'}>
          <Icon name={approved ? 'check' : 'cross'} />
          <span>
            <strong>{approved ? 'Approved' : 'Denied'}</strong> {noun}
            {reason ? <q>{reason}</q> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
