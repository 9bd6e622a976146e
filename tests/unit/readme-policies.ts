/** The code of the README's section on turns, as it stands there. Written by `BLESS=1`, run by the test beside it. */
import { runClock, ToolGate } from 'toolgate';

/** The first sample. */
export function options(): ToolGate {
  const gate = new ToolGate({
    onDeny: 'by-reason', // one call is denied: what becomes of the others of its step?
    onUserMessage: 'cancel-pending', // the user writes instead of answering
    approvalTimeoutMs: 10 * 60_000, // nobody answers
    rewriteResult: async ({ toolName, text }) => `${toolName}: ${text}`, // what the model reads, where no tool gave a result
  });
  runClock(gate); // deadlines need the time; a guarded chat has it
  return gate;
}

/** The second sample. */
export function answers(gate: ToolGate): void {
  // For this chat: every later call of this tool with this very input.
  gate.respond('a1', { approved: true, remember: 'chat' });
  // For all chats, whatever the input; take it there with the option `remembered`.
  gate.respond('a2', { approved: false, reason: 'No e-mails', remember: { for: 'always', scope: 'tool' } });
  gate.remembered(); // [{ id: 'mem-0', toolName: 'edit', approved: true, for: 'chat', scope: 'input', … }, …]
  gate.forget('mem-0');
  gate.cancel('Enough for today');
}
