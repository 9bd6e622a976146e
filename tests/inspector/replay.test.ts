/**
 * Recordings of any sequence of calls replay with the same results. The replay of an altered recording reports the
 * first difference. Recording does not change the gate.
 */
import fc from 'fast-check';
import { ToolGate } from 'toolgate';
import { inspect, record, replay as play, type Recording } from 'toolgate/inspector';
import { describe, expect, it, vi } from 'vitest';

import { ask, reply, send, thrownBy } from '../gate/support.js';
import { acts, protocolNamed, Scene, setups } from './acts.js';
import { aiSdkWs } from 'toolgate/protocols/ai-sdk-ws';
import { openaiChat } from 'toolgate/protocols/openai-chat';

/** Replays a recording with the protocol that it names. */
function replay(given: unknown, options: { ToolGate: typeof ToolGate }): ReturnType<typeof play> {
  const name = (given as Recording | undefined)?.options?.['protocol'] as
    Parameters<typeof protocolNamed>[0] | undefined;
  return play(given, { protocol: protocolNamed(name ?? 'ai-sdk'), ...options });
}

const plans = fc.array(acts, { maxLength: 25, size: 'max' });
const plain = (recording: Recording): Recording => JSON.parse(JSON.stringify(recording)) as Recording;

describe('any sequence of calls', () => {
  it('has a key in the log for each request, also for one that was withdrawn before it was listed', async () => {
    await fc.assert(
      fc.asyncProperty(setups, plans, async (setup, plan) => {
        const { gate } = await new Scene(setup).play(plan);
        const deliveries = gate.auditLog().filter((entry) => entry.type === 'delivery');
        expect(deliveries.filter(({ id, key }) => id !== '' && key === '')).toEqual([]);
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  it('replays with the same results', async () => {
    await fc.assert(
      fc.asyncProperty(setups, plans, async (setup, plan) => {
        const scene = await new Scene(setup).record().play(plan);
        const { difference, gate } = await replay(plain(scene.recording), { ToolGate });
        expect(difference?.message).toBeUndefined();
        expect(gate.getSnapshot().messages).toEqual(scene.gate.getSnapshot().messages);
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it('a recording that begins in the middle replays with the same results', async () => {
    await fc.assert(
      fc.asyncProperty(setups, plans, plans, async (setup, before, plan) => {
        const scene = await new Scene(setup).play(before);
        await scene.record().play(plan);
        const recording = scene.recorder.recording();
        if (!recording) return;
        expect((await replay(plain(recording), { ToolGate })).difference?.message).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it('recording changes nothing in the gate, and stopping removes all interceptors', async () => {
    await fc.assert(
      fc.asyncProperty(setups, plans, async (setup, plan) => {
        // The same ids and the same randomness for both.
        const ids = (): (() => string) => {
          let n = 0;
          let random = 0;
          vi.spyOn(crypto, 'getRandomValues').mockImplementation(
            (bytes) => (bytes as Uint8Array).fill(random++) as never,
          );
          return () => `id-${n++}`;
        };
        const fixed = { ...setup, clock: true };
        const scene = await new Scene(fixed, { chatId: 'chat', generateId: ids() }).record().play(plan);
        const free = await new Scene(fixed, { chatId: 'chat', generateId: ids() }).play(plan);
        expect(scene.gate.auditLog()).toEqual(free.gate.auditLog());
        expect(scene.gate.toJSON()).toEqual(free.gate.toJSON());
        scene.recorder.stop();
        expect(Reflect.ownKeys(scene.gate)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});

describe('an altered recording', () => {
  it('reports the first difference', async () => {
    await fc.assert(
      fc.asyncProperty(setups, plans, fc.nat(), async (setup, plan, pick) => {
        const scene = await new Scene(setup).record().play(plan);
        const altered = plain(scene.recording) as unknown as {
          steps: { events?: { type: string }[]; inside?: true }[];
        };
        // A step during which listeners call the gate is compared as a whole, so it is not altered here.
        const isAlone = (step: number): boolean => !altered.steps[step]?.inside && !altered.steps[step + 1]?.inside;
        const places = altered.steps.flatMap(({ events }, step) =>
          isAlone(step) ? (events ?? []).map((_, at) => ({ step, at })) : [],
        );
        const place = places[pick % Math.max(1, places.length)];
        if (!place) return;
        altered.steps[place.step]!.events![place.at]!.type = 'something-else';
        const { difference } = await replay(altered, { ToolGate });
        expect(difference).toMatchObject({
          step: place.step,
          path: `events[${place.at}].type`,
          recorded: 'something-else',
        });
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it('an altered decision is found in the events of `respond`', async () => {
    const { gate, recorder } = recorded();
    gate.respond('approve-c1', { approved: true });
    send(gate);
    const text = JSON.stringify(recorder.recording()).replace(
      '"args":["approve-c1",{"approved":true}]',
      '"args":["approve-c1",{"approved":false}]',
    );
    const { difference } = await replay(JSON.parse(text), { ToolGate });
    expect(difference?.call).toBe('respond');
    expect(difference?.message).toMatch(/^step \d+, respond: events\[0\]/);
  });

  it('an altered body is found at its position', async () => {
    const { gate, recorder } = recorded();
    gate.respond('approve-c1', { approved: false, reason: 'not this one' });
    send(gate);
    const altered = plain(recorder.recording() as Recording);
    const step = altered.steps.findLastIndex(({ call }) => call === 'claim');
    const text = JSON.stringify(altered.steps[step]?.taken).replace('not this one', 'another one');
    Object.assign(altered.steps[step] as object, { taken: JSON.parse(text) as unknown });
    const { difference } = await replay(altered, { ToolGate });
    expect(difference).toMatchObject({ step, call: 'claim', recorded: 'another one', replayed: 'not this one' });
    expect(difference?.path).toMatch(/^taken\[0\]\.body\.messages\[1\]\.parts\[1\]\.approval\.reason$/);
  });

  it('an altered last view is found', async () => {
    const { recorder } = recorded();
    const text = JSON.stringify(recorder.recording()).replace('"status":"awaiting-approval"', '"status":"idle"');
    expect((await replay(JSON.parse(text), { ToolGate })).difference).toMatchObject({
      step: 'end',
      path: 'view.status',
      recorded: 'idle',
      replayed: 'awaiting-approval',
    });
  });

  it.each([null, 5, {}, { toolgate: 'recording', version: 2 }, { toolgate: 'recording', version: 1, steps: [] }])(
    '%j is not a recording',
    async (given) => {
      await expect(replay(given, { ToolGate })).rejects.toThrow(TypeError);
    },
  );

  it('calls of methods that a recording cannot contain are refused', async () => {
    const altered = plain(recorded().recorder.recording() as Recording);
    Object.assign(altered.steps[0] as object, { call: 'constructor' });
    await expect(replay(altered, { ToolGate })).rejects.toThrow('damaged');
  });
});

describe('a recording contains', () => {
  it('calls that listeners make while they are notified', async () => {
    const gate = new ToolGate();
    const before = record(gate);
    gate.onEvent((event) => {
      if (event.type === 'transition' && event.to === 'approval-requested')
        gate.respond(event.approvalId as string, { approved: event.toolCallId !== 'c2' });
    });
    gate.subscribe(() => gate.outgoing().forEach(({ id }) => gate.claim(id)));
    const after = record(gate);
    gate.sendUserMessage({ text: 'go' });
    reply(gate, [{ type: 'start', messageId: 'r' }, { type: 'start-step' }, ...ask('c1'), ...ask('c2')]);
    for (const recorder of [before, after]) {
      const recording = plain(recorder.recording() as Recording);
      expect(recording.steps.filter(({ inside }) => inside).map(({ call }) => call)).toEqual(
        expect.arrayContaining(['respond', 'claim']),
      );
      expect((await replay(recording, { ToolGate })).difference?.message).toBeUndefined();
    }
    before.stop();
    after.stop();
    expect(gate.outgoing()).toEqual([]);
  });

  it('the calls of deliver, and the bodies as they were sent', async () => {
    const { gate, recorder } = recorded();
    gate.respond('approve-c1', { approved: true });
    const sent: unknown[] = [];
    await gate.deliver(async (item) => void sent.push(JSON.parse(JSON.stringify(item))));
    const recording = plain(recorder.recording() as Recording);
    expect(recording.steps.flatMap(({ taken = [] }) => taken).slice(1)).toEqual(sent);
    expect((await replay(recording, { ToolGate })).difference?.message).toBeUndefined();
  });

  it('the calls for which needsApproval was called, with the protocol of a model', async () => {
    const needsApproval = ({ toolName }: { toolName: string }): boolean => toolName !== 'read';
    const gate = new ToolGate({ protocol: openaiChat, needsApproval });
    const recorder = record(gate);
    gate.sendUserMessage({ text: 'go' });
    send(gate);
    const call = (index: number, name: string): object => ({
      index,
      id: `c${index}`,
      type: 'function',
      function: { name, arguments: '{}' },
    });
    gate.receive({
      id: 'r',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant', tool_calls: [call(0, 'read'), call(1, 'edit')] } }],
    });
    gate.receive({
      id: 'r',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }],
    });
    gate.streamEnded({ status: 'finished' });
    expect(gate.pending().map(({ toolName }) => toolName)).toEqual(['edit']);
    const recording = plain(recorder.recording() as Recording);
    expect(recording.functions).toEqual(['needsApproval']);
    const { difference, gate: again } = await replay(recording, { ToolGate });
    expect(difference?.message).toBeUndefined();
    expect(again.pending()).toEqual(gate.pending());
  });

  it('the name of its protocol, and replays only with this protocol', async () => {
    const recorder = record(new ToolGate({ protocol: aiSdkWs }));
    const recording = plain(recorder.recording() as Recording);
    expect(recording.options).toMatchObject({ protocol: 'ai-sdk-ws' });
    await expect(play(recording, { ToolGate })).rejects.toThrow(
      'replay: protocol "ai-sdk" does not match the recorded "ai-sdk-ws".',
    );
    await expect(play(recording, { ToolGate, protocol: openaiChat })).rejects.toThrow(TypeError);
    expect((await play(recording, { ToolGate, protocol: aiSdkWs })).difference).toBeUndefined();
  });

  it('values that JSON cannot represent, unchanged', async () => {
    const { gate, recorder } = recorded();
    const output = { big: 12n, none: undefined, when: new Date(0), nan: NaN, ['__proto__']: 1, $: 'x' };
    gate.respond('approve-c1', { approved: true });
    send(gate);
    reply(gate, [{ type: 'tool-output-available', toolCallId: 'c1', output }]);
    const { gate: again, difference } = await replay(plain(recorder.recording() as Recording), { ToolGate });
    expect(difference?.message).toBeUndefined();
    expect(again.getSnapshot().messages).toEqual(gate.getSnapshot().messages);
  });

  it('only values that can be encoded: any other value discards the recording, and a new one begins later', () => {
    const { gate, recorder } = recorded();
    gate.receive({ type: 'data-x', data: () => 1 });
    expect(recorder.problem).toContain('receive: argument 1.data: a function cannot be represented in JSON');
    expect(recorder.recording()).toBeUndefined();
    expect(gate.getSnapshot().status).toBe('awaiting-approval');
  });

  it('no calls before the end of a reply that was open when recording began', async () => {
    const gate = new ToolGate();
    gate.sendUserMessage({ text: 'go' });
    send(gate);
    gate.receive({ type: 'start', messageId: 'r' });
    const recorder = record(gate);
    expect(recorder.recording()).toBeUndefined();
    gate.streamEnded({ status: 'finished' });
    gate.sendUserMessage({ text: 'again' });
    const recording = plain(recorder.recording() as Recording);
    expect(recording.steps.map(({ call }) => call)).toEqual(['sendUserMessage']);
    expect(recording.start?.version).toBeGreaterThan(0);
    expect((await replay(recording, { ToolGate })).difference?.message).toBeUndefined();
  });

  it('no calls before the arrival of a cancellation that was in flight when recording began', async () => {
    const gate = new ToolGate({ protocol: aiSdkWs });
    reply(gate, [{ type: 'start', messageId: 'r' }, { type: 'start-step' }, ...ask('c1')]);
    gate.cancel();
    const id = send(gate);
    const recorder = record(gate);
    expect(recorder.recording()).toBeUndefined();
    gate.markSent(id);
    gate.load([]);
    expect((await replay(plain(recorder.recording() as Recording), { ToolGate })).difference?.message).toBeUndefined();
  });

  it('at most the requested number of calls', async () => {
    const gate = new ToolGate();
    const recorder = record(gate, { limit: 3 });
    for (let i = 0; i < 10; i++) gate.load([{ id: `m${i}`, role: 'user', parts: [{ type: 'text', text: 'hi' }] }]);
    const recording = plain(recorder.recording() as Recording);
    expect(recording.steps.length).toBeLessThanOrEqual(3);
    expect((await replay(recording, { ToolGate })).difference?.message).toBeUndefined();
  });

  it('the last state when the gate is freed', async () => {
    const { gate, recorder } = recorded();
    gate.free();
    expect((await replay(plain(recorder.recording() as Recording), { ToolGate })).difference?.message).toBeUndefined();
  });
});

describe('the gate that is recorded', () => {
  it('throws the same errors and accepts the same arguments as before', () => {
    const { gate, recorder } = recorded();
    expect(thrownBy(() => gate.respond('none', { approved: true })).code).toBe('unknown-approval');
    expect(() => gate.respondAll(undefined as never)).toThrow(TypeError);
    expect(() => gate.streamEnded({ status: 'x' as 'error' })).toThrow('invalid status "x"');
    expect((recorder.recording() as Recording).steps.slice(-3).map(({ threw }) => threw)).toEqual([
      'unknown-approval',
      'TypeError',
      'TypeError',
    ]);
  });

  it('does not write to the options of the app', () => {
    const options = Object.freeze({ now: () => 5, generateId: () => 'own' });
    const gate = new ToolGate(options);
    const recorder = record(gate);
    gate.sendUserMessage({ text: 'hi' });
    expect(gate.getSnapshot().messages[0]?.id).toBe('own');
    recorder.stop();
    expect(gate.auditLog().every(({ at }) => at === 5)).toBe(true);
  });

  it('is unchanged when several recorders are stopped, in any order', () => {
    const { gate, recorder } = recorded();
    const [second, third] = [record(gate), record(gate)];
    for (const each of [recorder, third, second]) each.stop();
    expect(Reflect.ownKeys(gate)).toEqual([]);
    gate.respondAll({ approved: true });
    expect((recorder.recording() as Recording).steps.at(-1)?.call).toBe('streamEnded');
  });

  it('a panel needs a page', () => {
    expect(() => inspect(new ToolGate())).toThrow('no `document`');
  });

  it('an argument that is not a gate is refused', () => {
    expect(() => record({} as never)).toThrow('Expected a ToolGate');
    const stranger = { getSnapshot: () => undefined, subscribe: () => () => {} };
    expect(() => record(stranger as never)).toThrow('another copy');
  });
});

/** A gate whose last reply requested approval of a call, and its recorder from the start. */
function recorded(): { gate: ToolGate; recorder: ReturnType<typeof record> } {
  const gate = new ToolGate();
  const recorder = record(gate);
  gate.sendUserMessage({ text: 'tidy up' });
  send(gate);
  reply(gate, [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, ...ask('c1'), { type: 'finish' }]);
  return { gate, recorder };
}
