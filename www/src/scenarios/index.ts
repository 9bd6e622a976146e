/** The list of scenarios, in the order of the picker. A new one is a file in this folder and a line here. */
import type { Script } from '../backend/model';
import { cancel } from './cancel';
import { deadline } from './deadline';
import { denialWithReason } from './denial-with-reason';
import { doubleClick } from './double-click';
import { emptyReply } from './empty-reply';
import { freeChat } from './free-chat';
import { freeReply } from './free-replies';
import { lostReply } from './lost-reply';
import { networkCut } from './network-cut';
import { networkFailure } from './network-failure';
import { oneDenied } from './one-denied';
import { reloadInFlight, reloadPending } from './reload';
import { remembered } from './remembered';
import { threeEdits } from './three-edits';
import { twoTabs } from './two-tabs';
import type { Scenario } from './types';

export type { Scenario } from './types';

/** Scenarios that belong together. */
export interface ScenarioGroup {
  name: string;
  scenarios: readonly Scenario[];
}

/** Every scenario. The first one is the default. */
const GROUPS: readonly ScenarioGroup[] = [
  {
    name: 'What you answer',
    scenarios: [threeEdits, oneDenied, denialWithReason, remembered, deadline, cancel, doubleClick],
  },
  { name: 'When the network fails', scenarios: [emptyReply, networkFailure, lostReply, networkCut] },
  { name: 'Reloads and tabs', scenarios: [reloadPending, reloadInFlight, twoTabs] },
  { name: 'Your own words', scenarios: [freeChat] },
];

/**
 * The groups, with the scenarios that work on a page. `hasServer`: its backend outlives it. `hasSettings`: it shows the
 * policy and which tab sends, as only the page in React does.
 */
export function groupsFor(hasServer: boolean, hasSettings = true): readonly ScenarioGroup[] {
  return GROUPS.map(({ name, scenarios }) => ({
    name,
    scenarios: scenarios.filter(
      ({ needsServer, choosesPolicy, opensTab }) =>
        (hasServer || !needsServer) && (hasSettings || !(choosesPolicy || opensTab)),
    ),
  })).filter(({ scenarios }) => scenarios.length > 0);
}

/** The scenario with this id, else the first. */
export function scenarioById(id: string | null | undefined, hasServer = true, hasSettings = true): Scenario {
  const all = groupsFor(hasServer, hasSettings).flatMap(({ scenarios }) => scenarios);
  return all.find((scenario) => scenario.id === id) ?? threeEdits;
}

/** What to do in a scenario, step by step, on the page in React. */
export const allSteps = ({ steps, recordStep }: Scenario): readonly string[] => [
  ...steps,
  ...(recordStep ? [recordStep] : []),
];

/** The scripted model's script for a scenario: its own replies, and the general ones for everything else. */
export function scriptOf(scenario: Scenario): Script {
  return (view) => scenario.reply?.(view) ?? freeReply(view);
}
