/** The values of AG-UI as they arrive: those of `@ag-ui/core`, with the metadata that servers add to them. */
import type * as Core from '@ag-ui/core';
import type { Needed } from '../langgraph/decision.js';
import type { Merged, Wire } from '../shared/wire.js';

/** The metadata of TanStack AI (`TanStackRunMetadata`), and that of the interrupts of these servers. */
interface Metadata {
  readonly tanstack?: { readonly state?: string; readonly finishReason?: string | null };
  readonly adk?: { readonly originalFunctionCall?: { readonly id?: unknown } };
  readonly mastra?: { readonly toolName?: string; readonly args?: unknown; readonly suspendPayload?: unknown };
  readonly langgraph?: { readonly raw?: unknown };
  readonly 'tanstack:interruptBinding'?: { readonly definitionId?: string };
  readonly 'tanstack:interruptPayload'?: unknown;
}

/** A JSON Schema, as far as an answer depends on it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly (Schema | null)[];
  readonly oneOf?: readonly (Schema | null)[];
  readonly allOf?: readonly (Schema | null)[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
}

/** An interrupt. Stored with its approval or question, with what the reader adds for the answer. */
export interface Interrupt extends Omit<Wire<Core.Interrupt>, 'metadata' | 'responseSchema'> {
  readonly metadata?: Metadata;
  readonly responseSchema?: Schema;
  readonly action?: Needed;
  readonly isCommand?: boolean;
  readonly hasId?: boolean;
}

/** A part of a content, and a message. */
export interface Content extends Omit<Merged<Core.ContentPart>, 'source'> {
  readonly source?: { readonly type?: string; readonly value?: string; readonly mimeType?: string };
}
export interface Message extends Omit<Merged<Core.Message>, 'type' | 'content' | 'toolCalls'> {
  readonly content?: string | readonly Content[];
  readonly toolCalls?: readonly Wire<Core.ToolCall>[];
}

/** The events that are read, as one type: their fields are taken before it is known which event it is. */
type Read = Exclude<Core.Event, Core.StateDeltaEvent | Core.ActivitySnapshotEvent>;
export interface Event extends Omit<
  Merged<Read>,
  'content' | 'metadata' | 'messages' | 'outcome' | 'rawEvent' | 'value'
> {
  readonly content?: Message['content'];
  readonly metadata?: Metadata;
  readonly messages?: readonly Message[];
  readonly outcome?: { readonly type?: string; readonly interrupts?: readonly Interrupt[] };
  /** Of custom events about interrupts. */
  readonly value?: string;
  readonly rawEvent?: { readonly id?: string; readonly value?: unknown };
  /** Of earlier versions of TanStack AI. */
  readonly finishReason?: string | null;
}
