/** Chooses a scenario: a list beside the chat where there is room, a select in the header where there is not. */
import { SCENARIOS, type Scenario } from './scenarios/index';

/** Props of both pickers. */
export interface PickerProps {
  current: Scenario;
  choose: (scenario: Scenario) => void;
}

export function ScenarioList({ current, choose }: PickerProps) {
  return (
    <nav className="scenarios" aria-label="Scenarios">
      <h2>Scenarios</h2>
      <ul>
        {SCENARIOS.map((scenario) => (
          <li key={scenario.id}>
            <button type="button" aria-current={scenario.id === current.id ? 'true' : undefined} onClick={() => choose(scenario)}>
              {scenario.name}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function ScenarioSelect({ current, choose }: PickerProps) {
  return (
    <label className="scenario-select">
      <span className="hidden">Scenario</span>
      <select
        value={current.id}
        onChange={(event) => {
          const next = SCENARIOS.find(({ id }) => id === event.target.value);
          if (next) choose(next);
        }}
      >
        {SCENARIOS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What to try in the current scenario, beside a conversation that has begun. */
export function ScenarioSteps({ current, restart }: { current: Scenario; restart: () => void }) {
  return (
    <section className="try" aria-label="What to try">
      <h2>What to try</h2>
      <ol className="steps">
        {current.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <button type="button" className="button small" onClick={restart}>
        Start again
      </button>
    </section>
  );
}
