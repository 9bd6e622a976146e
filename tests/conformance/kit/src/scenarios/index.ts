/** All scenarios for clients. */
import type { Group, Scenario } from '../scenario.js';
import { decisions } from './decisions.js';
import { denials } from './denials.js';
import { messages } from './messages.js';
import { provider } from './provider.js';
import { reloads } from './reloads.js';
import { replies } from './replies.js';

/** The scenarios, by the kind of their rules. */
export const groups: readonly Group[] = [decisions, denials, replies, messages, reloads, provider];

/** All scenarios in order. */
export const scenarios: readonly Scenario[] = groups.flatMap(({ scenarios }) => scenarios);
