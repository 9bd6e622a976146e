/**
 * Recordings of any sequence of calls play again and come out the same; altered ones say where they first do not; and the
 * gate that was recorded is as it was.
 */
import fc from 'fast-check';
import { ToolGate } from 'toolgate';
import { record, replay, type Recording } from 'toolgate/inspector';
import { describe, expect, it } from 'vitest';

import { asking, reply, send, thrownBy } from '../gate/support.js';
import { acts, Scene, setups } from './acts.js';

const plans = fc.array(acts, { maxLength: 25, size: 'max' });
const plain = (recording: Recording): Recording => JSON.parse(JSON.stringify(recording)) as Recording;

describe('any sequence of calls', () => {
  it('plays again, and comes out the same', async () => {
    await fc.assert(
      fc.asyncProperty(setups, plans, async (setup, plan) => {
        const scene = await new Scene(setup).record().play(plan);
        const { difference, gate } = await replay(plain(scene.recording), { ToolGate });
        expect(difference?.message).toBeUndefined();
        expect(gate.getSnapshot().messages).toEqual(scene.gate.getSnapshot().messages);
      }),
      { numRuns: 300 },
    );
  });

  it('a recording that begins in the middle does too', async () => {
    await fc.assert(
      fc.asyncProperty(setups, plans, plans, async (setup, before, plan) => {
        const scene = await new Scene(setup).play(before);
        await scene.record().play(plan);
        const recording = scene.recorder.recording();
        if (!recording) return;
        expect((await replay(plain(recording), { ToolGate })).difference?.message).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('being recorded changes nothing, and leaves nothing behind', async () => {
    await fc.assert(
      fc.asyncProperty(setups, plans, async (setup, plan) => {
        const ids = (): (() => string) => {
          let n = 0;
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
  });
});
