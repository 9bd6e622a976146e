import { test, expect } from 'vitest';
import { recordings } from './recordings';
import { play, said, missing, Broken } from './play';
import { plainDamage, damaged, withoutPiece, type Damage } from './mutate';
import type { Act } from '../../interop/recorder';
const only = process.env['ONLY'];
test.each(recordings.filter(r => !only || r.protocol===only).map(r => [r.source, r] as const))('%s', (_, rec) => {
  const whole = said(play(rec, rec.acts));
  const seen = new Map<string, [number,string]>();
  let n=0; let state = 12345;
  const rand = () => ((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648);
  const total = rec.acts.reduce((sum, a) => sum + (a[0]==='receive' ? plainDamage(a[1]).length : 0), 0);
  const budget = Number(process.env['N'] ?? 400) / total;
  const note = (key: string, detail: string) => { const was = seen.get(key); seen.set(key, [ (was?.[0] ?? 0)+1, was?.[1] ?? detail ]); };
  rec.acts.forEach((act, place) => {
    if (act[0] !== 'receive') return;
    const all = plainDamage(act[1]);
    for (const damage of all) {
      if (rand() > budget) continue;
      n++;
      const swap = (event: unknown): Act[] => rec.acts.map((a, i) => i===place ? ['receive', event, ...a.slice(2)] as unknown as Act : a);
      try {
        const got = said(play(rec, swap(damaged(act[1], damage))));
        const piece = withoutPiece(act[1], damage.path);
        const other = said(play(rec, piece ? swap(damaged(act[1], piece)) : rec.acts.filter((_, i) => i!==place)));
        const lost = missing(whole, other, got);
        if (lost.length) note('lost ' + JSON.stringify((act[1] as any)?.type ?? (act[1] as any)?.event ?? '') + damage.path.map(String).join('.') , JSON.stringify({place, damage, lost}).slice(0,600));
      } catch (e) {
        if (!(e instanceof Broken)) throw e;
        note('broke ' + e.message.split('\n').slice(0,3).join(' ').slice(0,200).replace(/act \d+/,''), JSON.stringify({place, damage}));
      }
    }
  });
  console.log(rec.source, n, 'damages', [...seen].map(([k,[c,d]]) => `\n  ${c}x ${k}\n      ${d}`).join(''));
}, 600000);
