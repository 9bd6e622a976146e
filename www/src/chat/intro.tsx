/** The content of an empty chat: the scenario, what to try, and a button that sends its first message. */
import { allSteps, type Scenario } from '../scenarios/index';

/** Props of `Intro`. */
export interface IntroProps {
  scenario: Scenario;
  begin: () => void;
}

export function Intro({ scenario, begin }: IntroProps) {
  return (
    <div className="intro">
      <p className="eyebrow">Scenario</p>
      <h2>{scenario.name}</h2>
      <p className="lead">{scenario.summary}</p>
      <ol className="steps">
        {allSteps(scenario).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <button type="button" className="opening" onClick={begin}>
        <span className="opening-hint">Begin by asking</span>
        <span className="opening-text">{scenario.opening}</span>
      </button>
    </div>
  );
}
