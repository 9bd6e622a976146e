/** A tool that asks the user a question, and sends something to the city of the answer. */
import { expect, test } from 'vitest';
import { deliver, DONE, say } from '../interop/acts';
import { openWith, type AgentKind, type Connect } from './wire';

/** Tests that the answer is the tool's input. `field`: the field of the question's form. */
export function testQuestion(name: string, kind: AgentKind, connect: Connect, field: string): void {
  test(name, async () => {
    const calls = [{ id: 'call-1', tool: 'send', path: '/ask' } as const];
    const session = await openWith(kind, connect, {}, [{ calls }, DONE]);
    const { gate, prompts } = session;
    try {
      await say(session, 'Book it.');
      const [question] = gate
        .getSnapshot()
        .turn.waitingFor.flatMap((one) => ('toolCallIds' in one ? one.toolCallIds : []));
      gate.addToolOutput(question!, { output: { action: 'accept', content: { [field]: 'Oslo' } } });
      await deliver(session);
      expect(session.ran).toEqual(['send Oslo']);
      expect(prompts.at(-1)?.at(-1)).toMatchObject({ kind: 'result', text: 'send Oslo: done' });
      expect([gate.pending(), gate.outgoing(), gate.undelivered()]).toEqual([[], [], []]);
      expect(gate.getSnapshot().status).toBe('idle');
    } finally {
      await session.close?.();
    }
  });
}
