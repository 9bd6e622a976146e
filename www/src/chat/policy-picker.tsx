/** What a denial means for the other calls of its step: the option `onDeny`, as four choices. */
import { useId } from 'react';
import type { OnDeny } from 'toolgate';

const POLICIES: readonly (readonly [policy: OnDeny, label: string, meaning: string])[] = [
  ['continue', 'Go on', 'The others are still yours to decide, one by one.'],
  ['skip-rest', 'Skip the rest', 'What is undecided is skipped. What you approved runs, and the model goes on.'],
  ['end-turn', 'End the turn', 'What has not left is skipped, approvals too. Nothing is sent until you write.'],
  ['by-reason', 'By reason', 'Without a reason the turn ends. With one, the rest is skipped and the model goes on.'],
];

/** Props of `PolicyPicker`. */
export interface PolicyPickerProps {
  policy: OnDeny;
  choose: (policy: OnDeny) => void;
  /** The conversation has begun: another policy begins it anew. */
  hasBegun: boolean;
}

export function PolicyPicker({ policy, choose, hasBegun }: PolicyPickerProps) {
  const id = useId();
  return (
    <fieldset className="policy" aria-describedby={`${id}-meaning`}>
      <legend>When you deny one of several calls</legend>
      <div className="segments">
        {POLICIES.map(([value, label]) => (
          <label key={value}>
            <input type="radio" name={id} value={value} checked={value === policy} onChange={() => choose(value)} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <p className="policy-meaning" id={`${id}-meaning`}>
        {POLICIES.find(([value]) => value === policy)?.[2]}
        {hasBegun ? <span className="soft"> Another choice starts over.</span> : null}
      </p>
    </fieldset>
  );
}
