/**
 * Types from the app's own tools. The fields of approvals, calls and events then have the types of each tool's input
 * and output. These are types only: nothing checks a value, so they are true if the server validates inputs, as the AI
 * SDK's servers do.
 */

/** An app's tools by name, with the types of their inputs and outputs: the AI SDK's `InferUITools<typeof tools>`. */
export type ToolTypes = { readonly [toolName: string]: ToolType };

/** The types of one tool's input and output. */
export interface ToolType {
  readonly input: unknown;
  readonly output: unknown;
}

/** A message type. Its parts have the types of the tools: the AI SDK's `UIMessage<Metadata, DataParts, Tools>`. */
export interface MessageType {
  readonly parts: readonly { readonly type: string }[];
}

/** What types can be inferred from: the app's tools, or its message type. The default: any tools. */
export type AnyTools = ToolTypes | MessageType;

/** The tools of a {@link AnyTools}. */
export type ToolsOf<T extends AnyTools> = [T] extends [never]
  ? ToolTypes
  : [AnyTools] extends [T]
    ? ToolTypes
    : T extends { readonly parts: readonly (infer PART)[] }
      ? ToolsOfParts<PART>
      : T extends ToolTypes
        ? T
        : ToolTypes;

type ToolsOfParts<PART> = {
  [NAME in NameOfPart<PART>]: {
    readonly input: FieldOf<Extract<PART, { type: `tool-${NAME}`; state: 'input-available' }>, 'input'>;
    readonly output: FieldOf<Extract<PART, { type: `tool-${NAME}`; state: 'output-available' }>, 'output'>;
  };
};

type NameOfPart<PART> = PART extends { readonly type: `tool-${infer NAME}` } ? NAME : never;

type FieldOf<PART, FIELD extends string> = PART extends { readonly [_ in FIELD]: infer VALUE } ? VALUE : unknown;

/**
 * The name of a tool that the app's types do not contain, such as a tool of an MCP server: a string. It cannot be
 * compared with a literal, so that a comparison with a misspelt name is an error. A branded string could be compared
 * with every name, so that `toolName === 'deleteFile'` would not exclude the other tools. The text is in the type only:
 * editors show it.
 */
export type OtherToolName = `${string} (not in your types)`;

/** The tool names that a value can have: those of the app's tools, and {@link OtherToolName}. */
export type ToolNameOf<T extends AnyTools> = string extends keyof ToolsOf<T>
  ? string
  : (keyof ToolsOf<T> & string) | OtherToolName;

/** The type of a tool's input; `unknown` for another tool. */
export type InputOf<T extends AnyTools, NAME extends string> = NAME extends keyof ToolsOf<T>
  ? FieldOf<ToolsOf<T>[NAME], 'input'>
  : unknown;

/** The type of a tool's output; `unknown` for another tool. */
export type OutputOf<T extends AnyTools, NAME extends string> = NAME extends keyof ToolsOf<T>
  ? FieldOf<ToolsOf<T>[NAME], 'output'>
  : unknown;

/** An input of which only a part may have arrived. */
export type Streamed<INPUT> = INPUT extends readonly (infer ITEM)[]
  ? Streamed<ITEM>[]
  : INPUT extends object
    ? { [KEY in keyof INPUT]?: Streamed<INPUT[KEY]> }
    : INPUT;
