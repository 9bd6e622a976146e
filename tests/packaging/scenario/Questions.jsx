/** The page of page.js in React: nothing on a server, the questions once the package has loaded. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { askedTwice, leaving } from './chat.js';

export function Questions() {
  const [gate, setGate] = useState();
  useEffect(() => {
    let isShown = true;
    askedTwice().then((asked) => isShown && setGate(asked));
    return () => {
      isShown = false;
    };
  }, []);
  return gate ? <Asked gate={gate} /> : <p>Nothing asked yet</p>;
}

function Asked({ gate }) {
  const subscribe = useCallback((listener) => gate.subscribe(listener), [gate]);
  const { pending } = useSyncExternalStore(subscribe, () => gate.getSnapshot());
  useEffect(() => {
    document.body.dataset.state = 'ready';
  }, []);
  return (
    <>
      {pending.map(({ approvalId, input }) => (
        <p key={approvalId}>
          <button onClick={() => gate.respond(approvalId, { approved: true })}>Approve {input.path}</button>
          <button onClick={() => gate.respond(approvalId, { approved: false, reason: 'keep it' })}>Deny {input.path}</button>
        </p>
      ))}
      <pre id="sent">{JSON.stringify(leaving(gate))}</pre>
    </>
  );
}
