/**
 * The strip above the conversation, for settings and notices: the policy, remembered decisions, and which tab sends.
 */
import type { OnDeny } from 'toolgate';
import type { Session } from '../session/session';
import { useGate } from './use-session';
import { Memories } from './memories';
import { PolicyPicker } from './policy-picker';
import { TabStatus } from './tab-status';

/** Props of `ChatStrip`. */
export interface ChatStripProps {
  session: Session;
  /** Starts a new chat with this policy. */
  choosePolicy: (policy: OnDeny) => void;
}

export function ChatStrip({ session, choosePolicy }: ChatStripProps) {
  const { scenario, gate, onDeny } = session;
  const hasBegun = useGate(gate).messages.length > 0;
  return (
    <div className="strip">
      {scenario.choosesPolicy ? <PolicyPicker policy={onDeny} choose={choosePolicy} hasBegun={hasBegun} /> : null}
      <Memories session={session} />
      <TabStatus session={session} />
    </div>
  );
}
