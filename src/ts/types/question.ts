/** A question to the user and its answer, in the form of MCP's elicitation. */

/** A question. */
export interface Question {
  /** The text for the user. */
  readonly message?: string | undefined;
  /**
   * A JSON Schema for the answer: an object whose properties are strings (also `enum`, `oneOf`, and the formats
   * `email`, `uri`, `date` and `date-time`), numbers, integers, booleans, or arrays of options.
   */
  readonly requestedSchema?: unknown;
}

/** Several questions of a coding agent, of which the form makes one: each with its text, and options to choose from. */
export interface AgentQuestions {
  readonly questions: readonly unknown[];
}

/** The user's answer. It becomes the output of the call. */
export type QuestionAnswer =
  | {
      readonly action: 'accept';
      readonly content: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };
