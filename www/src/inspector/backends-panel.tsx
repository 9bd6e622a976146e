/**
 * “Backends”: the conversation as each backend would receive it, side by side. Every column is `gate.assemble(protocol)` of the
 * same gate, with what that protocol can express and what of this conversation it has no words for.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { CallView } from '../session/message-types';
import type { Session } from '../session/session';
import { useGate } from '../session/use-session';
import { callsIn, columnOf, linesOf, PROTOCOLS, type Column, type Protocol } from './assembled';

const FIRST: readonly Protocol[] = ['ai-sdk', 'anthropic', 'openai-responses'];

export function BackendsPanel({ session }: { session: Session }) {
  const [shown, setShown] = useState(FIRST);
  const dialog = useRef<HTMLDialogElement>(null);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    if (isWide) dialog.current?.showModal();
  }, [isWide]);
  const toggle = (protocol: Protocol): void =>
    setShown((now) => (now.includes(protocol) ? now.filter((one) => one !== protocol) : PROTOCOLS.filter((one) => one === protocol || now.includes(one))));
  return (
    <>
      <p className="panel-note">The same conversation, in the words of each backend.</p>
      <div className="backends-bar">
        <Choice shown={shown} onToggle={toggle} />
        <button type="button" className="button small" onClick={() => setWide(true)}>
          Show full width
        </button>
      </div>
      <Columns session={session} shown={shown} label="Backends" />
      {isWide ? (
        <dialog ref={dialog} className="backends-dialog" aria-labelledby="backends-title" onClose={() => setWide(false)}>
          <header>
            <h2 id="backends-title">The same conversation for each backend</h2>
            <button type="button" className="button small" autoFocus onClick={() => dialog.current?.close()}>
              Close
            </button>
          </header>
          <Choice shown={shown} onToggle={toggle} />
          <Columns session={session} shown={shown} label="Backends, full width" />
        </dialog>
      ) : null}
    </>
  );
}

function Choice({ shown, onToggle }: { shown: readonly Protocol[]; onToggle: (protocol: Protocol) => void }) {
  return (
    <details className="backends-choice">
      <summary>
        {shown.length} of {PROTOCOLS.length} backends
      </summary>
      <fieldset>
        <legend className="hidden">Which backends are shown</legend>
        {PROTOCOLS.map((protocol) => (
          <label key={protocol}>
            <input type="checkbox" checked={shown.includes(protocol)} onChange={() => onToggle(protocol)} />
            {protocol}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function Columns({ session, shown, label }: { session: Session; shown: readonly Protocol[]; label: string }) {
  const view = useGate(session.gate);
  const columns = useMemo(() => shown.map((protocol) => columnOf(session, protocol)), [session, shown, view]);
  const calls = callsIn(session);
  if (columns.length === 0) return <p className="blank">Choose a backend.</p>;
  return (
    <div className="backends" role="group" aria-label={label} tabIndex={0}>
      {columns.map((column) => (
        <Backend key={column.protocol} column={column} calls={calls} />
      ))}
    </div>
  );
}

function Backend({ column: { protocol, can, messages, lost }, calls }: { column: Column; calls: readonly CallView[] }) {
  return (
    <section className="backend" aria-label={protocol} data-backend={protocol}>
      <h3>{protocol}</h3>
      <p className="backend-can">
        {[
          can.kind === 'answering' ? 'an answer for each decision' : 'one request for each step',
          can.reason ? 'takes reasons' : 'takes no reason',
          ...(can.editedInput ? ['takes edits'] : []),
          ...(can.cancel ? ['knows cancel'] : []),
          ...(can.remember ? ['can remember'] : []),
          can.history === 'server' ? 'keeps the history itself' : 'gets the whole history',
        ].join(' · ')}
      </p>
      {lost.length > 0 ? <p className="backend-lost">Has no words for: {lost.join(', ')}</p> : null}
      {messages.length === 0 ? <p className="blank">Nothing yet.</p> : null}
      <ol>
        {messages.map((message, index) => (
          <li key={index}>
            <pre>
              {linesOf(message, calls).map(({ text, tone }, at) => (
                <span key={at} className={tone && `tone-${tone}`}>
                  {text}
                </span>
              ))}
            </pre>
          </li>
        ))}
      </ol>
    </section>
  );
}
