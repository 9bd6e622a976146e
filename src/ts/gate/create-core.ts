/**
 * Creates an empty core with the options of a gate, and the `HandleTable` that has the JavaScript values of that core.
 * No other file calls the core's constructor. gate-core.ts owns the result.
 */
import { ON_DENY, ON_USER_MESSAGE } from './gate-options.js';
import { Core, names } from '../../../target/bindgen/toolgate.js';
import * as Text from '../../../target/bindgen/text.js';
import { isRawModel } from '../protocols/shared/raw-model.js';
import { INCOMPLETE, textLookup } from '../protocols/shared/result-texts.js';
import { SUPERSEDED, UNSENT } from '../types/model-reasons.js';
import type { Translator } from '../protocols/shared/translator.js';
import { HandleTable, setNames } from '../wasm/handle-table.js';
import type { GateTexts } from '../types/index.js';
import type { Environment } from './environment.js';

/**
 * The placeholder id of a message without an id, until it gets one. Snapshots contain it, so it must be valid in
 * databases: Postgres does not store U+0000 in `jsonb`.
 */
const UNNAMED = 'toolgate:message';

/**
 * Gives the handle tables the property names of the wire formats, which the core passes as numbers. They are the same
 * for all cores.
 */
export function registerNames(): void {
  setNames(names());
}

/** The bit of `RunsRest` in the Rust enum `ProtocolTrait`, the only trait of the AI SDK's protocol. */
const RUNS_REST = 1 << 6;

/** Returns an empty core and its `HandleTable`. `translator` is undefined for the AI SDK's protocol. */
export function createCore({ options }: Environment, translator: Translator | undefined): [Core, HandleTable] {
  const handles = new HandleTable();
  const [texts] = textsOf(options.texts).map((text) => handles.keep(handles.give(text)));
  const core = new Core(
    handles,
    ON_USER_MESSAGE.indexOf(options.onUserMessage ?? ON_USER_MESSAGE[0]),
    ON_DENY.indexOf(options.onDeny ?? ON_DENY[0]),
    options.approvalTimeoutMs ?? 0,
    options.rewriteResult !== undefined,
    handles.give(options.browserTools),
    isRawModel(translator?.codec),
    translator?.kind ?? (options.browserTools ? 0 : RUNS_REST),
    texts as number,
    handles.idOf(UNNAMED),
  );
  handles.end();
  return [core, handles];
}

/** Returns the texts in the order in which the core expects them: that of the Rust enum `Text`. */
function textsOf(texts: Partial<GateTexts> | undefined): string[] {
  const textFor = textLookup(texts);
  const list: Readonly<Record<Text.Text, string>> = {
    [Text.Cancelled]: textFor('cancelled'),
    [Text.Interrupted]: textFor('interrupted'),
    [Text.MayHaveRun]: textFor('mayHaveRun'),
    [Text.Incomplete]: INCOMPLETE,
    [Text.Denied]: textFor('denied'),
    [Text.MovedOn]: textFor('denyPending'),
    [Text.Superseded]: SUPERSEDED,
    [Text.Unsent]: UNSENT,
    [Text.Skipped]: textFor('skipped'),
    [Text.Expired]: textFor('expired'),
  };
  // Keys that are numbers are in ascending order.
  return Object.values(list);
}
