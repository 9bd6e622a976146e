/** The texts of a card outside its form, for apps that draw their own cards. */
import { gateIn, type GateSource } from '../gate/gate-source.js';
import { statusOf, type AnyToolPart } from '../describe/call-status.js';
import { toolNameOf } from '../types/tool-part.js';
import { callIn } from './call-in.js';
import { deciderText, sharedOf } from './shared-state.js';
import { visible } from './shown-text.js';
import { languageOf, textsWith, type ApprovalTexts } from './texts.js';
import { isDangerous, summaryOf, type ToolCards } from './tool-cards.js';
import { titleOf } from './tool-names.js';

/** The texts of a card, with hidden characters written out. Show them as text, in the order of the fields. */
export interface CardDescription {
  /** The app's own sentence about the call; or empty. */
  readonly summary: string;
  /** The name that identifies the tool. Always show it. */
  readonly toolName: string;
  /** What the tool calls itself, in quotes; or empty. Never show it instead of the name. */
  readonly title: string;
  /** The word for a dangerous call that waits for the user; or empty. */
  readonly danger: string;
  /** Who decided, if the page knows it; or empty. */
  readonly decidedBy: string;
  /** The language and direction of the texts; empty if they have none. */
  readonly language: { readonly lang?: string; readonly dir?: 'ltr' | 'rtl' };
}

/** Returns the texts of a card. `gate`: the gate or a guarded chat, or null while there is none. */
export function describeCard(part: AnyToolPart, { gate: source, tools, texts }: CardOptions): CardDescription {
  const words = textsWith(texts);
  const gate = gateIn(source);
  const name = toolNameOf(part);
  const { isOver, isClosed, approval } = gate ? callIn(gate, part) : { isOver: false, isClosed: false };
  const status = statusOf(part, isOver, isClosed);
  const input = approval ? approval.input : part.input;
  const title = titleOf(part);
  const isAsked = status === 'waiting' && approval !== undefined;
  if (isAsked && gate) sharedOf(gate)[3].add(approval.approvalId);
  return {
    summary: part.state === 'input-streaming' ? '' : visible(summaryOf(tools, name, input)),
    toolName: visible(name),
    title: title === undefined ? '' : visible(`“${title}”`),
    danger: isAsked && isDangerous(tools, name, input) ? words.dangerous : '',
    decidedBy: isAsked ? '' : deciderText(gate, part, status, words),
    language: languageOf(words),
  };
}

/** What {@link describeCard} reads besides the part. */
export interface CardOptions {
  readonly gate: GateSource;
  /** What the app knows about its tools. */
  readonly tools?: ToolCards | undefined;
  /** Replacements for the English texts. */
  readonly texts?: Partial<ApprovalTexts> | undefined;
}
