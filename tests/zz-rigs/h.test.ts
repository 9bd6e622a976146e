import { test } from 'vitest'; import fc from 'fast-check'; import { histories } from '../interop/ai-sdk/histories'; import { peers } from '../interop/ai-sdk/peers';
import * as ai7 from 'ai'; import * as ai6 from 'ai6'; import { pickedStreams } from '../interop/ai-sdk/picked-streams'; import { assertSame, difference } from '../interop/ai-sdk/compare';
test('h', async () => { for (const p of peers) for (const calls of ['settled','open','left'] as const) { let n=0; await fc.assert(fc.asyncProperty(histories({ version: p.version, calls }), async h => { 
  const r: any = await ((p.version===7?ai7:ai6) as any).safeValidateUIMessages({ messages: h }); if (!r.success) throw r.error;
  n += (await p.toModelMessages(h)).length;
 }), { numRuns: 200 }); console.log(p.version, calls, n); } }, 60000);
test('picked', async () => { const names = new Set(); for (const s of pickedStreams) { if (names.has(s.name)) throw new Error(s.name); names.add(s.name); const [a, b] = [await peers[0].read(s.chunks, s.base), await peers[1].read(s.chunks, s.base)]; const d = difference(a.states.at(-1), b.states.at(-1)); console.log(s.name, '|', (s.shows??[]).join(), '|', a.errors.map(e=>e.message.slice(0,40)), b.errors.map(e=>e.message.slice(0,40)), d ?? ''); } }, 60000);
