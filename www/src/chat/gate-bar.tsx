/** The bar above the text box: the content of `bar.ts`, and its buttons. */
import type { BarView } from './bar';
import { Icon } from './icons';

/** Props of `GateBar`. */
export interface GateBarProps {
  bar: BarView;
  cancel: () => void;
  retry: () => void;
}

export function GateBar({ bar: { kind, tone, title, text, detail, dots }, cancel, retry }: GateBarProps) {
  return (
    <section className={`gate-bar tone-${tone}`} aria-label="Your answers">
      {dots.length > 0 ? (
        <span className="dots" aria-hidden="true">
          {dots.map((each, index) => (
            <span key={index} className={`dot tone-${each}`} />
          ))}
        </span>
      ) : null}
      <p>
        <strong>{title}</strong> {text}
        {detail ? <span className="bar-detail"> ({detail})</span> : null}
      </p>
      {kind === 'waiting' ? (
        <button
          type="button"
          className="button small plain"
          title="Cancels all calls: nothing runs and nothing is sent"
          onClick={cancel}
        >
          Cancel
        </button>
      ) : null}
      {kind === 'trouble' ? (
        <div className="buttons">
          <button type="button" className="button small primary" onClick={retry}>
            <Icon name="again" />
            Retry
          </button>
          <button type="button" className="button small" onClick={cancel}>
            Give up
          </button>
        </div>
      ) : null}
    </section>
  );
}
