/** Asks the user what a run's interrupts ask for: approvals of actions, and questions. */
import { unusedId } from '../shared/call-ids.js';
import type { StreamContext } from '../shared/codec.js';
import { equal, textOf } from '../shared/history.js';
import { withdrawRequest } from '../shared/other-decisions.js';
import type { Needed } from './decision.js';
import { STAND_IN, type ReplyWriter } from '../shared/reply-writer.js';
import { requestOf, type Action, type GraphInterrupt, type Request } from './interrupts.js';
import type { Use } from './message.js';
import type { TurnCall, TurnCalls } from './turn.js';

/** The error of a question that was closed without an answer of this page. The model does not read it. */
const CLOSED = 'The question was answered elsewhere.';

/** The value of an interrupt that asks the page to run a tool, in both languages. */
type ToolRequest = { readonly type?: unknown; readonly toolCall?: Use; readonly tool_call?: Use };

/** The interrupts of one run. */
export class Requests {
  readonly #writer: ReplyWriter;
  readonly #turn: TurnCalls;
  readonly #stream: StreamContext;
  /** The id of the message that the run has sent last. */
  current: unknown;
  /** The questions of this run, by the ids of their calls. */
  readonly #questions = new Map<string, string>();

  constructor(writer: ReplyWriter, turn: TurnCalls, stream: StreamContext) {
    this.#writer = writer;
    this.#turn = turn;
    this.#stream = stream;
  }

  /** Asks for everything in a list of interrupts. */
  ask(interrupts: readonly GraphInterrupt[] | null): void {
    const asked = new Set<TurnCall>();
    const ids = new Set<unknown>();
    this.#writer.each(interrupts, (interrupt) => {
      // Interrupts of parallel tools may share an id, which takes one answer: the server sends the others again after
      // it.
      if (interrupt.id && ids.has(interrupt.id)) return;
      ids.add(interrupt.id);
      const { type, toolCall, tool_call: tool = toolCall } = Object(interrupt.value) as ToolRequest;
      if (type === 'tool' && tool) return this.#tool(interrupt, tool, asked);
      const { actions, asked: question } = requestOf(interrupt);
      if (question) this.#question(interrupt, question);
      this.#writer.each(actions, (action, position) => this.#action(action, position, asked));
    });
    // The server runs the other calls after the answers, unless they interrupt too.
    for (const call of this.#turn.calls) {
      const { id, name, approval, input = this.#writer.inputOf(id) } = call;
      const isPending = asked.has(call) || (approval && approval.approved === undefined);
      if (call.isOver || isPending || input === undefined || this.#stream.runsInPage(name)) continue;
      this.#writer.update(id, { input, more: { providerExecuted: true } });
    }
  }

  /** Closes the requests of interrupts that were answered, by this page or another client. */
  answered(interrupts: readonly unknown[]): void {
    for (const { toolCallId, approval, outcome, callProviderMetadata } of this.#stream.calls()) {
      if (approval && interrupts.includes((approval as { langgraph?: Needed }).langgraph?.interrupt))
        withdrawRequest(this.#writer, toolCallId);
      else if (!outcome && interrupts.includes((callProviderMetadata?.['langgraph'] as Needed | undefined)?.interrupt))
        this.#writer.result(toolCallId, CLOSED, true);
    }
  }

  /** Only the page can run a headless tool. Its output answers the interrupt. */
  #tool({ id: interrupt, namespace }: GraphInterrupt, { id = interrupt, name, args }: Use, asked: Set<TurnCall>): void {
    const own = { interrupt, namespace, position: 0, count: 1, shape: 'value', tool: id };
    const providerMetadata = { toolgate: { runsInPage: true }, langgraph: own };
    this.#writer.update(id, { toolName: name, input: args, more: { providerMetadata } });
    const call = this.#turn.calls.find(({ wire }) => wire === id);
    if (call) asked.add(call);
  }

  #question(interrupt: GraphInterrupt, { question, own }: NonNullable<Request['asked']>): void {
    const id: string = own.interrupt ?? `${String(this.current)}:question`;
    const text = textOf(interrupt.value);
    const isOpen = this.#stream.calls().some(({ toolCallId, outcome }) => toolCallId === id && !outcome);
    if (isOpen || this.#questions.get(id) === text) return;
    this.#questions.set(id, text);
    if (!this.#writer.question(id, question, undefined, { langgraph: own }))
      this.#stream.unanswerable(`interrupt ${id}`);
  }

  #action({ name, args, named, own }: Action, position: number, asked: Set<TurnCall>): void {
    const { interrupt, shape } = own;
    const shown = this.#stream.calls();
    const inputOf = ({ id, input }: TurnCall): unknown => input ?? this.#writer.inputOf(id);
    const isSame = (call: TurnCall): boolean => call.wire === named || (!named && equal(inputOf(call), args));
    const free = this.#turn.calls.filter((call) => !call.isOver && !asked.has(call) && call.name === name);
    let approvalId = `${interrupt ?? String(this.current)}:${position}`;
    let before = shown.find(({ approval }) => approval?.id === approvalId);
    // A tool that interrupts after another one may have the same id. It waits for the answer to that one.
    const isOther = before && !(before.toolName === name && equal(before.input, args));
    if (before && isOther && free.some((call) => isSame(call) && call.id !== before?.toolCallId)) {
      if (!before.outcome && before.approval?.approved === undefined) return;
      approvalId = unusedId(approvalId, new Set(shown.flatMap(({ approval }) => approval?.id ?? [])));
      before = undefined;
    }
    const known = before && this.#turn.calls.find(({ approval }) => approval?.id === approvalId);
    const isFree = (call: TurnCall): boolean => !call.approval && isSame(call);
    const found = free.find(isFree) ?? free.find(isSame) ?? free.find((call) => inputOf(call) === undefined);
    const same = known ?? (before ? undefined : found);
    if (same) asked.add(same);
    // A known approval whose call is over is not requested again.
    if (before?.outcome) return;
    const toolCallId = same?.id ?? before?.toolCallId ?? named ?? approvalId;
    // An action of Agent Inbox need not be a call of the model.
    if (!same && !before) this.#writer.call(toolCallId, name, args, shape === 'inbox' ? STAND_IN : undefined);
    if (!same && !before && shape !== 'inbox') {
      this.#turn.add(undefined, toolCallId, name, args);
      asked.add(this.#turn.calls.at(-1) as TurnCall);
    }
    // Without the interrupt's id, a repeated answer could answer a later interrupt.
    const isUnsafe = !interrupt && { repeatUnsafe: true };
    this.#writer.ask(approvalId, { toolCallId, input: args }, { ...isUnsafe, langgraph: own });
  }
}
