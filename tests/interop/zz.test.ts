import { test } from 'vitest';
import { openTanstack } from './tanstack.rig';
import '../codecs/support';
test('x', async () => {
  const s = await openTanstack([{ calls: [{id:'call-1',tool:'read',path:'/r'},{id:'call-2',tool:'remove',path:'/a'},{id:'call-3',tool:'remove',path:'/b'}] }, {text:'Done.'},{text:'Bye.'}], {});
  s.gate.onEvent((e) => console.log(JSON.stringify(e).slice(0, 300)));
  s.gate.sendUserMessage({ text: 'Tidy' }); await s.gate.deliver(s.send);
  s.gate.respond('approval_call-2', { approved: true });
  s.gate.sendUserMessage({ text: 'Wait' });
  console.log(JSON.stringify(s.gate.outgoing(), null, 1));
  await s.gate.deliver(s.send);
  console.log(JSON.stringify(s.requests.slice(1), null, 1));
});
