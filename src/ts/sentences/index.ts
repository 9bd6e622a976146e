/**
 * Registers the sentences of errors. In the package, the files `*.sentences.js` import this one before their entry
 * point. Bundlers take the entry point itself under the condition `production`.
 */
import { learn } from '../types/said.js';
import { refusal } from './refusals.js';
import { repairs } from './repairs.js';

/** The sentences that are written with the tag `say`: the build collects them. */
declare const TEMPLATES: Readonly<Record<string, readonly string[]>>;

learn({ templates: TEMPLATES, refusal, repairs });
