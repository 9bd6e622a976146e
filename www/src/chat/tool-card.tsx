/**
 * One tool call: what it would change, its status, and the controls while it waits for the user. The foot keeps its
 * height when a decision replaces the buttons, so that nothing moves under the pointer and the second half of a double
 * click cannot hit the next card.
 */
import { useId } from 'react';
import { callTitle, type CallView } from '../session/message-types';
import { statusOf } from './call-status';
import { Decision } from './decision';
import { useCardActions } from './card-actions';
import { CallBody } from './diff';
import { Icon, type IconName } from './icons';

/** Props of `ToolCard`. */
export interface ToolCardProps {
  call: CallView;
  /** Its turn ended badly, so nothing more arrives until the user acts. */
  isOver: boolean;
}

export function ToolCard({ call, isOver }: ToolCardProps) {
  const titleId = useId();
  const { keepButtons } = useCardActions();
  const status = statusOf(call, isOver);
  const buttons = call.approvalId !== undefined && (status.asks || keepButtons);
  const isRemembered = call.decidedBy === 'remembered';
  return (
    <section
      className={`card tone-${status.tone}`}
      aria-labelledby={titleId}
      tabIndex={-1}
      data-call={call.toolCallId}
      data-status={status.key}
    >
      <header className="card-head">
        <Icon name={iconOf(call.toolName)} />
        <h3 id={titleId}>
          {callTitle(call)}
          <span className="hidden">
            : {status.label}
            {isRemembered ? ', remembered' : ''}
          </span>
        </h3>
        <span className="pills" aria-hidden="true">
          {isRemembered ? (
            <span className="pill remembered">
              <Icon name="keep" />
              Remembered
            </span>
          ) : null}
          <span className="pill">
            {status.tone === 'busy' ? <span className="spinner" /> : null}
            {status.icon ? <Icon name={status.icon} /> : null}
            {status.label}
          </span>
        </span>
      </header>
      <CallBody call={call} />
      {buttons || status.note ? (
        <footer className={buttons || call.approvalId ? 'card-foot' : 'card-foot card-foot-slim'}>
          {buttons ? <Decision call={call} approvalId={call.approvalId!} /> : null}
          {!status.asks && status.note ? <p className="card-note">{status.note}</p> : null}
        </footer>
      ) : null}
    </section>
  );
}

function iconOf(toolName: string): IconName {
  if (toolName === 'edit_file') return 'pencil';
  if (toolName === 'write_file') return 'page';
  return toolName === 'delete_file' ? 'bin' : 'eye';
}
