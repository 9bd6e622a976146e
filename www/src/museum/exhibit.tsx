/** One bug: its rule, the button that runs it, and both sides. */
import { Reproduction } from './reproduction';
import type { Bug, Run, Version } from './run';
import { pairOf } from './run';
import { SideView } from './side';
import { useExhibit, type Exhibit } from './use-exhibit';
import { lesson, Words } from './words';

/** Props of `ExhibitView`. */
export interface ExhibitProps {
  readonly bug: Bug;
  readonly version: Version;
}

const LABELS: Readonly<Record<Exhibit['phase'], string>> = {
  idle: 'Run',
  running: 'Running…',
  revealing: 'Show all',
  done: 'Run again',
  failed: 'Run again',
};

export function ExhibitView({ bug, version }: ExhibitProps) {
  const exhibit = useExhibit(bug, version);
  const { phase, press, problem, run } = exhibit;
  const isDone = phase === 'done';
  return (
    <article className="exhibit" data-bug={bug.id} data-phase={phase} aria-label={bug.title}>
      <div className="start">
        <h2>
          <Words>{bug.title}</Words>
        </h2>
        <button type="button" className="button primary run" aria-disabled={phase === 'running'} onClick={press}>
          {LABELS[phase]}
        </button>
      </div>
      <div className="lesson" role="status">
        <Lesson bug={bug} run={isDone ? run : undefined} problem={problem} />
      </div>
      <Sides version={version} exhibit={exhibit} isDone={isDone} />
      <Reproduction bug={bug} />
    </article>
  );
}

function Sides({ version, exhibit: { run, shown }, isDone }: { version: Version; exhibit: Exhibit; isDone: boolean }) {
  const pair = pairOf(version);
  return (
    <div className="sides">
      <SideView
        kind="plain"
        title="The AI SDK alone"
        detail={`${pair.plain.name}: \`new Chat(options)\``}
        run={run?.plain}
        shown={shown}
        isDone={isDone}
      />
      <SideView
        kind="guarded"
        title="With Toolgate"
        detail={`\`guard(new Chat(options))\`, the same options`}
        run={run?.guarded}
        shown={shown}
        isDone={isDone}
      />
    </div>
  );
}

/** The sentence about a run; before it, what is right. */
export function Lesson({ bug, run, problem }: { bug: Bug; run: Run | undefined; problem?: string | undefined }) {
  if (problem !== undefined) return <p className="tone-bad failure">The scenario could not be run: {problem}</p>;
  return (
    <p>
      <Words>{run ? lesson(bug, run) : `Expected: ${bug.rule}`}</Words>
    </p>
  );
}
