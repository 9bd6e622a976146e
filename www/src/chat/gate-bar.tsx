/** The bar above the text box: the content of `bar.ts`, and its buttons. */
import { statusOf } from './call-status';
import type { BarView } from './bar';
import { Icon } from './icons';

/** Props of `GateBar`. */
export interface GateBarProps {
  bar: BarView;
  decideRest: (approved: boolean) => void;
  /** The reason for denying a call is open: that call must not be approved together with the others. */
  isDenying: boolean;
  cancel: () => void;
  retry: () => void;
  giveUp: () => void;
}

export function GateBar({
  bar: { kind, tone, title, text, detail, asked, decided },
  decideRest,
  isDenying,
  cancel,
  retry,
  giveUp,
}: GateBarProps) {
  return (
    <section className={`gate-bar tone-${tone}`} aria-label="Your answers">
      {asked.length > 0 ? (
        <span className="dots" aria-hidden="true">
          {asked.map((call) => (
            <span key={call.toolCallId} className={`dot tone-${statusOf(call).tone}`} />
          ))}
        </span>
      ) : null}
      <p>
        <strong>{title}</strong> {text}
        {detail ? <span className="bar-detail"> ({detail})</span> : null}
      </p>
      {kind === 'waiting' ? (
        <div className="buttons">
          {asked.length > 1 ? (
            <>
              <button type="button" className="button small" disabled={isDenying} onClick={() => decideRest(true)}>
                Approve {decided ? 'the rest' : 'all'}
              </button>
              <button type="button" className="button small" onClick={() => decideRest(false)}>
                Deny {decided ? 'the rest' : 'all'}
              </button>
            </>
          ) : null}
          <button
            type="button"
            className="button small plain"
            title="Cancels all calls: nothing runs and nothing is sent"
            onClick={cancel}
          >
            Cancel
          </button>
        </div>
      ) : null}
      {kind === 'trouble' ? (
        <div className="buttons">
          <button type="button" className="button small primary" onClick={retry}>
            <Icon name="again" />
            Retry
          </button>
          <button type="button" className="button small" onClick={giveUp}>
            Give up
          </button>
        </div>
      ) : null}
    </section>
  );
}
