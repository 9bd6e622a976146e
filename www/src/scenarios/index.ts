/** The list of scenarios, in the order of the picker. A new one is a file in this folder and a line here. */
import type { Script } from '../backend/model';
import { denialWithReason } from './denial-with-reason';
import { doubleClick } from './double-click';
import { emptyReply } from './empty-reply';
import { freeChat } from './free-chat';
import { freeReply } from './free-replies';
import { lostReply } from './lost-reply';
import { networkFailure } from './network-failure';
import { threeEdits } from './three-edits';
import type { Scenario } from './types';

export type { Scenario } from './types';

/** Every scenario. The first is the one a visitor sees. */
export const SCENARIOS: readonly [Scenario, ...Scenario[]] = [
  threeEdits,
  denialWithReason,
  emptyReply,
  networkFailure,
  lostReply,
  doubleClick,
  freeChat,
];

/** The scenario with this id, else the first. */
export function scenarioById(id: string | null | undefined): Scenario {
  return SCENARIOS.find((scenario) => scenario.id === id) ?? SCENARIOS[0];
}

/** The scripted model's script for a scenario: its own replies, and the general ones for everything else. */
export function scriptOf(scenario: Scenario): Script {
  return (view) => scenario.reply?.(view) ?? freeReply(view);
}
