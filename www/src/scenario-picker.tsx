/** Chooses a scenario: a list beside the chat where there is room, a select in the header where there is not. */
import { allSteps, groupsFor, scenarioById, type Scenario } from './scenarios/index';

/** Props of both pickers. */
export interface PickerProps {
  current: Scenario;
  choose: (scenario: Scenario) => void;
  /** Whether the backend outlives the page: some scenarios are about that. */
  hasServer: boolean;
}

export function ScenarioList({ current, choose, hasServer }: PickerProps) {
  return (
    <nav className="scenarios" aria-label="Scenarios">
      <h2>Scenarios</h2>
      {groupsFor(hasServer).map(({ name, scenarios }) => (
        <details key={name} name="scenarios" open={scenarios.includes(current)}>
          <summary>
            {name}
            <span className="soft">{scenarios.length}</span>
          </summary>
          <ul>
            {scenarios.map((scenario) => (
              <li key={scenario.id}>
                <button
                  type="button"
                  aria-current={scenario.id === current.id ? 'true' : undefined}
                  onClick={() => choose(scenario)}
                >
                  {scenario.name}
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

export function ScenarioSelect({ current, choose, hasServer }: PickerProps) {
  const groups = groupsFor(hasServer);
  return (
    <label className="scenario-select">
      <span className="hidden">Scenario</span>
      <select value={current.id} onChange={(event) => choose(scenarioById(event.target.value, hasServer))}>
        {groups.map(({ name, scenarios }) => (
          <optgroup key={name} label={name}>
            {scenarios.map(({ id, name: label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

/** What to try in the current scenario, beside a conversation that has begun. */
export function ScenarioSteps({ current }: { current: Scenario }) {
  return (
    <section className="try" aria-label="What to try">
      <h2>What to try</h2>
      <ol className="steps">
        {allSteps(current).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
