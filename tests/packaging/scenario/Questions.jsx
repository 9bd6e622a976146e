/** The page in React: an empty chat on a server and while it hydrates, the approvals when the package has loaded. */
import { useEffect, useState } from 'react';
import { GateProvider, useApprovals, useGateActions, useGateView, useToolPart } from 'toolgate/react';
import { openChat } from './chat.js';

export function Questions() {
  const [gate, setGate] = useState(null);
  useEffect(() => {
    let isShown = true;
    void openChat().then((opened) => isShown && setGate(opened));
    return () => {
      isShown = false;
    };
  }, []);
  useEffect(() => {
    if (gate) document.body.dataset.state = 'ready';
  }, [gate]);
  return (
    <GateProvider gate={gate}>
      <Status />
      <Buttons />
      <Call id="call-a" />
      <Call id="call-b" />
    </GateProvider>
  );
}

function Status() {
  return <p id="status">{useGateView((view) => view.status)}</p>;
}

function Buttons() {
  const approvals = useApprovals();
  const { respond } = useGateActions();
  return approvals.map((approval) => (
    <p key={approval.approvalId}>
      <button onClick={() => respond(approval, { approved: true })}>Approve {approval.input.path}</button>
      <button onClick={() => respond(approval, { approved: false, reason: 'keep it' })}>
        Deny {approval.input.path}
      </button>
    </p>
  ));
}

function Call({ id }) {
  return <p id={id}>{useToolPart(id)?.state ?? 'no call'}</p>;
}
