/**
 * “Sent requests”: every request with its key, its attempt, its delivery and its decisions; above them, the held
 * decisions. This page's requests come from its network log; those from before a reload or from another tab come from
 * the backend's record. Delivery comes from the gate.
 */
import type { GateView, OutcomeKind, Undelivered } from 'toolgate';
import type { BackendRecord, ReceivedRequest } from '../backend/record';
import { Icon, type IconName } from '../chat/icons';
import { callNoun, callsOf, type CallView } from '../session/message-types';
import type { Session } from '../session/session';
import { useGate } from '../chat/use-session';
import { userTextOf, type WireEntry } from '../session/wire-log';
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
  const undelivered = new Map(gate.undelivered().map((item) => [item.key, item.delivery]));
  const held = [...calls.values()].filter((call) => call.delivery === 'held' || call.delivery === 'ready');
  const sheets = sheetsOf(record, wire);
  return (
    <>
      {held.length > 0 ? <Held held={held} when={whenItLeaves(view)} /> : null}
      {sheets.length === 0 ? (
        <p className="blank">Nothing has been sent. Each request is listed here, with its key and its decisions.</p>
      ) : null}
      <ol className="sheets" reversed>
        {sheets.map(({ entry, isHere, attempt }) => (
          <Sent
            key={`${isHere} ${entry.n}`}
            entry={entry}
            isHere={isHere}
            attempt={attempt}
            calls={calls}
            trouble={isLatest(entry, wire) && entry.key !== null ? undelivered.get(entry.key) : undefined}
            arrivals={record.requests.filter(({ key }) => key !== null && key === entry.key).length}
          />
        ))}
      </ol>
    </>
  );
}

/** One request, as the panel shows it. */
export interface Sheet {
  entry: WireEntry;
  /** Whether this page sent it. Otherwise it was sent before a reload, or by another tab. */
  isHere: boolean;
  attempt: number;
}

/** Every request of the chat, the latest first: those of this page, and those that only the backend knows. */
export function sheetsOf({ requests }: BackendRecord, wire: readonly WireEntry[]): Sheet[] {
  const ordered: (Sheet & { order: number })[] = [];
  for (const key of new Set([...requests, ...wire].map((one) => one.key))) {
    const [arrived, own] = [requests.filter((one) => one.key === key), wire.filter((one) => one.key === key)];
    // If a key arrived several times, this page's requests are taken to be the last ones.
    const others = arrived.slice(0, Math.max(0, arrived.length - own.length));
    others.forEach((request, at) =>
      ordered.push({ entry: entryOf(request), isHere: false, attempt: at + 1, order: request.n }),
    );
    own.forEach((entry, at) => {
      const order = arrived[others.length + at]?.n ?? requests.length + entry.n / 1000;
      ordered.push({ entry, isHere: true, attempt: others.length + at + 1, order });
    });
  }
  return ordered.sort((a, b) => b.order - a.order);
}

/** A request from the backend's record, in the form of the page's log. */
function entryOf({ n, key, body, decisions }: ReceivedRequest): WireEntry {
  const userText = userTextOf((body as { messages?: unknown } | null)?.messages);
  const bytes = new TextEncoder().encode(JSON.stringify(body)).length;
  return { n, key, body, decisions, attempt: 1, userText, bytes, state: 'answered' };
}

/** When held decisions are sent. */
function whenItLeaves({ pending, status }: GateView): string {
  if (pending.length > 0) {
    return `Sent in one request when ${pending.length === 1 ? 'the last open call is' : `the ${pending.length} open calls are`} decided.`;
  }
  return status === 'idle' ? 'Sent with your next message.' : 'Sent when the current reply has ended.';
}

/** Only the last attempt of a key can be undelivered. */
function isLatest(entry: WireEntry, wire: readonly WireEntry[]): boolean {
  return !wire.some(({ key, n }) => key === entry.key && n > entry.n);
}

function Held({ held, when }: { held: readonly CallView[]; when: string }) {
  return (
    <section className="sheet held" aria-label="Held">
      <header className="sheet-head">
        <h3>Held</h3>
        <span className="pill tone-wait">Not sent</span>
      </header>
      <p className="sheet-note">{when}</p>
      <Decisions
        decisions={held.map((call) => ({ ...call, approved: call.approved ?? false }))}
        calls={new Map(held.map((call) => [call.toolCallId, call]))}
      />
    </section>
  );
}

/** The state of a request: its delivery if the gate lists it as undelivered, otherwise the state in the page's log. */
type RequestState = WireEntry['state'] | Undelivered['delivery'];

const STATES: Readonly<Record<RequestState, readonly [label: string, tone: string]>> = {
  sending: ['In flight', 'busy'],
  answering: ['Acknowledged, replying', 'busy'],
  answered: ['Acknowledged', 'yes'],
  failed: ['Failed', 'bad'],
  cut: ['Acknowledged, cut off', 'bad'],
  stopped: ['Stopped', 'quiet'],
  stalled: ['Stalled', 'bad'],
  unconfirmed: ['Unconfirmed', 'bad'],
};

interface SentProps {
  entry: WireEntry;
  isHere: boolean;
  attempt: number;
  calls: ReadonlyMap<string, CallView>;
  trouble: Undelivered['delivery'] | undefined;
  /** How often the backend received this key. */
  arrivals: number;
}

function Sent({ entry, isHere, attempt, calls, trouble, arrivals }: SentProps) {
  const [label, tone] = STATES[trouble ?? entry.state];
  return (
    <li className="sheet" {...(isHere ? { 'data-request': entry.n } : { 'data-elsewhere': entry.n })}>
      <header className="sheet-head">
        <h3>{entry.userText === null ? count(entry.decisions.length) : 'A message'}</h3>
        <span className={`pill tone-${isHere || trouble ? tone : 'quiet'}`}>
          {isHere || trouble ? label : 'Arrived'}
        </span>
      </header>
      {isHere ? null : <p className="sheet-note">Not from this page: sent before it was loaded, or by another tab.</p>}
      {entry.userText ? <p className="sheet-quote">{entry.userText}</p> : null}
      <Decisions decisions={entry.decisions} calls={calls} />
      <dl className="facts">
        <div>
          <dt>Key</dt>
          <dd>
            <code>{entry.key ?? 'none'}</code>
          </dd>
        </div>
        <div>
          <dt>Attempt</dt>
          <dd>{attempt}</dd>
        </div>
        <div>
          <dt>Received</dt>
          <dd>
            {entry.key === null ? 'unknown' : arrivals === 0 ? 'never' : arrivals === 1 ? 'once' : `${arrivals} times`}
          </dd>
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
      <Json label="The body, as sent" value={entry.body} />
    </li>
  );
}

function count(decisions: number): string {
  if (decisions === 0) return 'The conversation';
  return decisions === 1 ? 'One decision' : `${decisions} decisions`;
}

interface ShownDecision {
  toolCallId: string;
  toolName: string;
  approved: boolean;
  reason?: string;
}

type Look = readonly [word: string, icon: IconName, tone: string];

const DENIED: Look = ['Denied', 'cross', 'no'];

/** How a decision that is not an approval is shown, for each outcome of its call. */
const REFUSALS: Readonly<Record<OutcomeKind, Look>> = {
  denied: DENIED,
  skipped: ['Skipped', 'skip', 'quiet'],
  expired: ['Expired', 'clock', 'late'],
  // The decision was a denial, although its call has this outcome.
  cancelled: DENIED,
  interrupted: DENIED,
  executed: DENIED,
  failed: DENIED,
};

function Decisions({
  decisions,
  calls,
}: {
  decisions: readonly ShownDecision[];
  calls: ReadonlyMap<string, CallView>;
}) {
  if (decisions.length === 0) return null;
  return (
    <ul className="decisions">
      {decisions.map(({ toolCallId, toolName, approved, reason }) => {
        const call = calls.get(toolCallId);
        const refusal = REFUSALS[call?.outcome?.kind ?? 'denied'];
        const [word, icon, tone] = approved ? (['Approved', 'check', 'yes'] as const) : refusal;
        return (
          <li key={toolCallId} className={`tone-${tone}`}>
            <Icon name={icon} />
            <span>
              <strong>{word}</strong> {call ? callNoun(call) : toolName}
              {call?.decidedBy === 'remembered' ? <span className="soft"> (remembered)</span> : null}
              {reason ? <q>{reason}</q> : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
