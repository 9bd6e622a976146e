import { init, ToolGate } from 'toolgate';
await init();
const g = new ToolGate({chatId:'c'}); g.onEvent(e => console.log(e)); g.sendUserMessage({text:'hi'}); console.log(g.outgoing()); console.log(g.claim(g.outgoing()[0].id));
for (const c of [{type:'start',messageId:'m'},{type:'start-step'},{type:'tool-input-available',toolCallId:'c1',toolName:'e',input:{a:1}},{type:'tool-approval-request',toolCallId:'c1',approvalId:'a1'},{type:'finish-step'},{type:'finish'}]) g.receive(c);
g.streamEnded({status:'finished'}); console.log(JSON.stringify(g.getSnapshot())); g.respond('a1',{approved:true}); console.log(JSON.stringify(g.outgoing()), JSON.stringify(g.assemble('ai-sdk')));
