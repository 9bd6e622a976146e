/** The text box. Enter sends, Shift+Enter starts a new line. Escape does nothing, so that a text is never lost. */
import { useId, type FormEvent, type KeyboardEvent } from 'react';
import { Icon } from './icons';

/** Props of `Composer`. */
export interface ComposerProps {
  value: string;
  onChange: (value: string) => void;
  onSend: () => void;
  onStop: () => void;
  /** A reply is being received. */
  busy: boolean;
  /** How many calls wait for the user: a message sent now declines them. */
  waiting: number;
}

export function Composer({ value, onChange, onSend, onStop, busy, waiting }: ComposerProps) {
  const id = useId();
  const empty = value.trim() === '';
  const warns = waiting > 0 && !empty;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!empty) onSend();
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!empty) onSend();
  };
  return (
    <form className="composer" onSubmit={submit}>
      <label className="hidden" htmlFor={id}>
        Message
      </label>
      <textarea
        id={id}
        rows={1}
        value={value}
        placeholder="Write a message"
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={keys}
      />
      <div className="composer-foot">
        <p id={`${id}-hint`} className={warns ? 'hint warning' : 'hint'}>
          {warns
            ? `Sending this declines the undecided calls (${waiting}).`
            : 'Enter sends, Shift+Enter starts a new line.'}
        </p>
        {busy ? (
          <button type="button" className="button round" aria-label="Stop the reply" onClick={onStop}>
            <Icon name="stop" />
          </button>
        ) : null}
        <button type="submit" className="button round primary" aria-label="Send" disabled={empty}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}
