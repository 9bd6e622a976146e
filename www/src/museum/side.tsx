/** One side of an exhibit: the tools that ran, the verdict, its chat, its steps, and what the model read last. */
import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { SideRun, Step } from './run';
import { sentence, Words } from './words';

/** Props of `SideView`. */
export interface SideProps {
  /** `plain` or `guarded`, for the tests. */
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  readonly run: SideRun | undefined;
  readonly shown: number;
  readonly isDone: boolean;
}

/** The colours of a call's state in the chat. */
const TONES: Readonly<Record<string, string>> = {
  'approval-requested': 'wait',
  'approval-responded': 'busy',
  'output-available': 'yes',
  'output-denied': 'no',
  'output-error': 'no',
};

export function SideView({ kind, title, detail, run, shown, isDone }: SideProps) {
  const steps = run?.steps.slice(0, shown) ?? [];
  const last = steps.at(-1);
  const id = useId();
  return (
    <section className="side" data-side={kind} aria-labelledby={id}>
      <header>
        <h3 id={id}>{title}</h3>
        <p className="soft">
          <Words>{detail}</Words>
        </p>
      </header>
      <p className="ran">
        Tools that ran: <span data-ran>{last?.ran.join(', ') || 'none'}</span>
      </p>
      <div className="verdict-place">{run && isDone ? <Verdict run={run} /> : null}</div>
      <Block title="The chat" className="screen">
        {last?.screen.map(({ role, text, state }, i) => (
          <li key={i} className={`${role} tone-${TONES[state ?? ''] ?? 'quiet'}`}>
            {role === 'call' ? <code>{text}</code> : text}
            {state ? <span className="state">{state}</span> : null}
          </li>
        ))}
      </Block>
      <Block title="Step by step" className="log">
        {steps.map((step, i) => (
          <StepLine key={i} step={step} />
        ))}
      </Block>
      <Block title="What the model read last" className="reading">
        {last?.prompt?.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </Block>
    </section>
  );
}

/** A list that scrolls to its end when it grows. */
function Block({ title, className, children }: { title: string; className: string; children: ReactNode }) {
  const list = useRef<HTMLOListElement>(null);
  const id = useId();
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  });
  return (
    <div className="block">
      <h4 id={id}>{title}</h4>
      <ol ref={list} className={className} aria-labelledby={id} tabIndex={0}>
        {children}
      </ol>
    </div>
  );
}

function StepLine({ step: { by, text } }: { step: Step }) {
  return (
    <li data-by={by}>
      <span className="by">{by}</span> <span>{text}</span>
    </li>
  );
}

function Verdict({ run: { isRight, said } }: { run: SideRun }) {
  return (
    <p className={`verdict tone-${isRight ? 'yes' : 'no'}`} data-right={isRight}>
      <strong>{isRight ? 'Right' : 'Wrong'}</strong>
      <span data-said={said}>
        <Words>{sentence(said)}</Words>
      </span>
    </p>
  );
}
