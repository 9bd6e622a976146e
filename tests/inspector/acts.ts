/** Recorded gates, and generators for sequences of commands and replies, including invalid ones. */
import fc from 'fast-check';
import { init, ToolGate, type ToolGateOptions } from 'toolgate';
import { record, type Recorder, type Recording } from 'toolgate/inspector';

import { ask } from '../gate/support.js';
import { named, type ProtocolName } from '../protocols/all.js';
import { ON_DENY, ON_USER_MESSAGE } from '../../target/bindgen/enums.js';

await init();

/** A command as data. */
export type Act =
  | {
      readonly act:
        | 'write'
        | 'send'
        | 'fail'
        | 'retry'
        | 'cancel'
        | 'stop'
        | 'resume'
        | 'regenerate'
        | 'wait'
        | 'list'
        | 'tick'
        | 'forget'
        | 'reload';
    }
  | { readonly act: 'approve' | 'deny' | 'remember' | 'all' | 'output'; readonly n: number }
  | { readonly act: 'reply'; readonly calls: number; readonly how: 'finished' | 'error' | 'disconnected' | 'open' }
  | { readonly act: 'event'; readonly event: unknown };

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    5,
    {},
    { type: 'unknown' },
    { type: 'data-x', data: { a: 1n } },
    { type: 'tool-output-available', toolCallId: 'c0', output: new Date(0) },
  ),
  fc.record({
    type: fc.constantFrom('tool-output-denied', 'tool-input-start', 'start'),
    toolCallId: fc.constantFrom('c0', 'c1', '__proto__'),
  }),
);

/** Generates any command. */
export const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constantFrom('write', 'send', 'send', 'fail', 'retry', 'tick', 'wait') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('cancel', 'stop', 'resume', 'regenerate', 'list', 'forget', 'reload'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constantFrom('approve', 'deny', 'remember', 'all', 'output'), n: fc.nat(3) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('reply'),
      calls: fc.nat(3),
      how: fc.constantFrom('finished', 'finished', 'error', 'disconnected', 'open'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('event'), event: odd }) },
) as fc.Arbitrary<Act>;

/** Generates any options, including functions, as data. */
export const setups = fc.record({
  onDeny: fc.constantFrom(...ON_DENY),
  // These protocols take no message while an approval is pending.
  onUserMessage: fc.constantFrom(...ON_USER_MESSAGE.filter((policy) => policy !== 'pass')),
  timeout: fc.constantFrom(undefined, 25),
  rewrites: fc.constantFrom('no', 'now', 'later', 'throws'),
  clock: fc.boolean(),
  // One protocol with a request per step, and one with a request per decision.
  protocol: fc.constantFrom('ai-sdk', 'ai-sdk-ws'),
});

/** The options of a gate, as data. */
export type Setup = typeof setups extends fc.Arbitrary<infer S> ? S : never;

/** A gate with its recorder. */
export class Scene {
  readonly gate: ToolGate;
  readonly options: ToolGateOptions;
  recorder!: Recorder;
  #now = 1000;
  #n = 0;

  constructor(
    { onDeny, onUserMessage, timeout, rewrites, clock, protocol }: Setup,
    more: ToolGateOptions = {},
    Gate: new (options: ToolGateOptions) => ToolGate = ToolGate,
  ) {
    this.options = {
      protocol: named(protocol as ProtocolName),
      onDeny: onDeny as 'continue',
      onUserMessage: onUserMessage as 'queue',
      ...(timeout !== undefined && { approvalTimeoutMs: timeout }),
      ...(clock && { now: () => this.#now }),
      ...(rewrites !== 'no' && {
        rewriteResult: ({ toolCallId, text }) => {
          if (rewrites === 'throws' && toolCallId !== 'c0') return undefined as unknown as string;
          return rewrites === 'later' ? Promise.resolve(`late ${text}`) : `${toolCallId}: ${text}`;
        },
      }),
      ...more,
    };
    this.gate = new Gate(this.options);
  }

  /** Starts recording. */
  record(): this {
    this.recorder = record(this.gate);
    return this;
  }

  /** Returns the recording. */
  get recording(): Recording {
    const recording = this.recorder.recording();
    if (!recording)
      throw new Error(`nothing was recorded: ${this.recorder.problem ?? 'the gate always had a request in flight'}`);
    return recording;
  }

  /** Runs commands with pauses, and ignores the gate's errors. */
  async play(all: readonly Act[]): Promise<this> {
    for (const act of all) {
      this.#now += 10;
      try {
        await this.#do(act);
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error)) throw error;
      }
    }
    for (let i = 0; i < 20; i++) await Promise.resolve();
    return this;
  }

  async #do(act: Act): Promise<void> {
    const { gate } = this;
    const approval = (n: number): string => gate.pending()[n]?.approvalId ?? `approve-c${n}`;
    switch (act.act) {
      case 'write':
        return void gate.sendUserMessage({ text: `message ${this.#n++}` });
      case 'send':
        return void gate.outgoing().map(({ id }) => gate.claim(id));
      case 'fail':
        return gate.markFailed(gate.outgoing()[0]?.id ?? 'out-1', 'offline');
      case 'retry':
        return gate.retry(gate.undelivered()[0]?.id ?? 'out-1');
      case 'cancel':
        return gate.cancel(this.#n++ % 2 ? 'no more' : undefined);
      case 'stop':
      case 'resume':
      case 'regenerate':
        return gate[act.act]();
      case 'list':
        return void gate.remembered();
      case 'forget':
        return gate.forget(gate.remembered()[0]?.id ?? 'none');
      case 'tick':
        return gate.tick(this.#now);
      case 'wait':
        for (let i = 0; i < 8; i++) await Promise.resolve();
        return;
      case 'reload':
        return void gate.load(
          JSON.parse(
            JSON.stringify(gate.getSnapshot().messages, (_, value: unknown) => (typeof value === 'bigint' ? 1 : value)),
          ) as unknown[],
        );
      case 'approve':
        return void gate.respond(approval(act.n), {
          approved: true,
          ...(act.n % 2 && { inputDigest: gate.pending()[act.n]?.inputDigest ?? 'none' }),
        });
      case 'deny':
        return void gate.respond(approval(act.n), { approved: false, ...(act.n % 2 && { reason: 'no' }) });
      case 'remember':
        return void gate.respond(approval(act.n), {
          approved: act.n % 2 === 0,
          remember: { for: 'chat', scope: 'tool', expiresAt: this.#now + 50 },
        });
      case 'all':
        return void gate.respondAll({
          approved: act.n > 1,
          ...(act.n % 2 && { where: ({ toolCallId }) => toolCallId.endsWith('1') }),
        });
      case 'output':
        return gate.addToolOutput(`c${act.n}`, { output: undefined });
      case 'event':
        return gate.receive(act.event);
      case 'reply': {
        const id = `reply-${this.#n++}`;
        for (const chunk of [{ type: 'start', messageId: id }, { type: 'start-step' }]) gate.receive(chunk);
        for (let i = 0; i < act.calls; i++) ask(`c${this.#n + i}`).forEach((chunk) => gate.receive(chunk));
        if (act.calls === 0) gate.receive({ type: 'text-start', id: 't' });
        if (act.how !== 'open') gate.streamEnded({ status: act.how });
      }
    }
  }
}
