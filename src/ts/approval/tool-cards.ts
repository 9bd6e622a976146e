/**
 * What an app knows about its tools: a summary of a call in the app's own words, and whether a call is dangerous. It
 * appears beside the tool's name and input, never instead of them.
 */
import { reportUncaught } from '../types/report-uncaught.js';
import { say } from '../types/say.js';

/** A function of the app about a call. Written as a method, so that it may expect the input type of its tool. */
type OfInput<INPUT, RESULT> = { of(input: INPUT): RESULT }['of'];

/** What an app knows about one tool. `INPUT` is the tool's input type. */
export interface ToolCard<INPUT = unknown> {
  /**
   * Returns one sentence about a call, such as "Delete notes.md"; undefined or an empty text for none. The model wrote
   * the input, and nothing has validated it. An error is reported as an uncaught error, and the card shows no summary.
   */
  readonly summary?: OfInput<INPUT, string | undefined> | undefined;
  /**
   * Whether a call of this tool is dangerous. Its card says so, its button names what it approves, and "Approve all"
   * asks a second time. Default `false`.
   */
  readonly isDangerous?: boolean | OfInput<INPUT, boolean> | undefined;
}

/**
 * What an app knows about its tools, by tool name. `TOOLS` has the input type of each tool, as the AI SDK's
 * `InferUITools` returns it. If a page sets this, a tool without an entry is unknown, and "Approve all" asks a second
 * time before it approves a call of it.
 */
export type ToolCards<TOOLS = Readonly<Record<string, { readonly input: unknown }>>> = {
  readonly [NAME in keyof TOOLS]?: ToolCard<TOOLS[NAME] extends { readonly input: infer INPUT } ? INPUT : unknown>;
};

/** The entry of a tool. Names of tools come from a model, so inherited properties do not count. */
function cardOf(tools: ToolCards | undefined, toolName: string): ToolCard | undefined {
  return tools && Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
}

/** The app's summary of a call; an empty text if there is none. */
export function summaryOf(tools: ToolCards | undefined, toolName: string, input: unknown): string {
  try {
    const summary: unknown = cardOf(tools, toolName)?.summary?.(input);
    if (summary === undefined || summary === null) return '';
    if (typeof summary === 'string') return summary.trim();
    throw new TypeError(say`The summary of the tool "${toolName}" must be a string or undefined.`);
  } catch (error) {
    reportUncaught(error);
    return '';
  }
}

/**
 * Whether "Approve all" must ask a second time: the tool is dangerous for this input, or the app lists its tools and
 * this one is not among them.
 */
export const needsSecondLook = (tools: ToolCards | undefined, toolName: string, input: unknown): boolean =>
  (tools && !cardOf(tools, toolName)) || isDangerous(tools, toolName, input);

/** Whether the app says that the tool is dangerous for this input. An error of the app counts as yes. */
export function isDangerous(tools: ToolCards | undefined, toolName: string, input: unknown): boolean {
  const isIt = cardOf(tools, toolName)?.isDangerous;
  if (typeof isIt !== 'function') return isIt === true;
  try {
    return isIt(input) !== false;
  } catch (error) {
    reportUncaught(error);
    return true;
  }
}
