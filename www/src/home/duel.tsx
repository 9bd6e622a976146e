/** Two small chats that play the same failure: the AI SDK alone, and with Toolgate. The first one plays by itself. */
import { useEffect, useId, useRef, useState } from 'react';
import { pairOf, type SideRun, type Step } from '../museum/run';
import { useExhibit } from '../museum/use-exhibit';
import { sentence, Words } from '../museum/words';
import { FAILURES, type Failure } from './failures';

/** What the states of a call mean to a visitor, and their colours. */
const STATES: Readonly<Record<string, readonly [text: string, tone: string]>> = {
  'approval-requested': ['asks', 'wait'],
  'approval-responded': ['answered', 'busy'],
  'output-available': ['ran', 'yes'],
  'output-denied': ['denied', 'quiet'],
  'output-error': ['failed', 'no'],
};

export function Duel() {
  const [failure, choose] = useState(FAILURES[0]!);
  const [played, play] = useState(0);
  const choice = (next: Failure): void => {
    choose(next);
    play((times) => times + 1);
  };
  return (
    <div className="duel">
      <div className="failures" role="group" aria-label="Failure">
        {FAILURES.map((one) => (
          <button
            key={one.bug.id}
            type="button"
            className="button small"
            aria-pressed={one === failure}
            onClick={() => choice(one)}
          >
            {one.name}
          </button>
        ))}
      </div>
      <Round key={`${failure.bug.id} ${played}`} failure={failure} />
    </div>
  );
}

/** One play of a failure. */
function Round({ failure: { bug, story } }: { failure: Failure }) {
  const { phase, run, shown, problem, press } = useExhibit(bug, 7);
  const isDone = phase === 'done';
  return (
    <div className="round" data-bug={bug.id} data-phase={phase}>
      <p className="story">{story}</p>
      <div className="sides">
        <Small
          kind="plain"
          title={`The AI SDK alone (${pairOf(7).plain.name})`}
          run={run?.plain}
          {...{ shown, isDone }}
        />
        <Small kind="guarded" title="With Toolgate" run={run?.guarded} {...{ shown, isDone }} />
      </div>
      <p className="lesson" role="status">
        {problem === undefined ? isDone && <Words>{bug.cause}</Words> : `It could not be played: ${problem}`}
      </p>
      <button type="button" className="button small" onClick={press}>
        {isDone ? 'Play again' : 'Show the end'}
      </button>
    </div>
  );
}

interface SmallProps {
  readonly kind: string;
  readonly title: string;
  readonly run: SideRun | undefined;
  readonly shown: number;
  readonly isDone: boolean;
}

function Small({ kind, title, run, shown, isDone }: SmallProps) {
  const id = useId();
  const step = run?.steps.slice(0, shown).at(-1);
  return (
    <section className="side" data-side={kind} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <Screen step={step} label={title} />
      {run && isDone ? (
        <p className={`stamp tone-${run.isRight ? 'yes' : 'no'}`} data-right={run.isRight}>
          <strong>{run.isRight ? 'Right' : 'Wrong'}</strong> <Words>{sentence(run.said)}</Words>
        </p>
      ) : (
        <p className="stamp tone-quiet">{step ? `${step.by}: ${step.text}` : 'Starting…'}</p>
      )}
    </section>
  );
}

/** The chat as its user sees it. */
function Screen({ step, label }: { step: Step | undefined; label: string }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  });
  return (
    <ol ref={list} className="screen" tabIndex={0} aria-label={`The chat: ${label}`}>
      {step?.screen.map(({ role, text, state = '' }, i) => {
        const [word, tone] = STATES[state] ?? [state, 'quiet'];
        return (
          <li key={i} className={`${role} tone-${tone}`}>
            {role === 'call' ? <code>{text.replace(/#.*/, '')}</code> : text}
            {word ? <span className="state">{word}</span> : null}
          </li>
        );
      })}
    </ol>
  );
}
