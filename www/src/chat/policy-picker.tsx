/** The policy for the other calls of a step after a denial: the option `onDeny`, as four choices. */
import { useEffect, useId, useState } from 'react';
import type { OnDeny } from 'toolgate';

const POLICIES: readonly (readonly [policy: OnDeny, label: string, meaning: string])[] = [
  ['continue', 'Continue', 'You still decide the other calls.'],
  ['skip-rest', 'Skip the rest', 'Undecided calls are skipped; approved ones run.'],
  ['end-turn', 'End the turn', 'All unsent decisions are skipped, approvals too.'],
  ['by-reason', 'By reason', 'Without a reason the turn ends; with one the rest is skipped.'],
];

/** Props of `PolicyPicker`. */
export interface PolicyPickerProps {
  policy: OnDeny;
  choose: (policy: OnDeny) => void;
  /** The conversation has begun, so another policy starts a new one. */
  hasBegun: boolean;
}

export function PolicyPicker({ policy, choose, hasBegun }: PolicyPickerProps) {
  const id = useId();
  // Shown at once, before the chat with the new policy is open.
  const [chosen, setChosen] = useState(policy);
  useEffect(() => setChosen(policy), [policy]);
  return (
    <fieldset className="policy" aria-describedby={`${id}-meaning`}>
      <legend>When you deny one of several calls</legend>
      <div className="segments">
        {POLICIES.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={id}
              value={value}
              checked={value === chosen}
              onChange={() => {
                setChosen(value);
                choose(value);
              }}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <p className="policy-meaning" id={`${id}-meaning`}>
        {POLICIES.find(([value]) => value === chosen)?.[2]}
        {hasBegun ? <span className="soft"> A change starts over.</span> : null}
      </p>
    </fieldset>
  );
}
