/** Approve, press Stop while the request is being sent, then press Deny. */
import { bug } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'approve-stop-deny',
  title: 'Approve, Stop, then Deny',
  cause: 'The chat keeps the first decision without an error. Version 6 then sends it again.',
  rule: 'The first decision was sent and counts. A later Deny fails with an error and sends nothing.',
  async run(side) {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { backend, stop, thrown, part, answer, send, settled, turns, approvalOf } = await stage(side, {
      model: [{ calls: [{ id: 'c1', tool: 'edit' }] }],
      hold: (n) => (n === 2 ? held : undefined),
    });
    send('Edit it');
    await settled();
    const id = approvalOf('c1');
    await answer(id, true);
    await turns();
    const stopped = stop();
    await turns();
    release();
    await stopped;
    await answer(id, false, 'changed my mind');
    await settled();
    const sent = backend.requests.slice(1).map((request) => {
      const approval = request.messages
        .flatMap((message) => message.parts)
        .find((found) => found['toolCallId'] === 'c1')?.['approval'];
      return (approval as { approved?: boolean } | undefined)?.approved;
    });
    return { sent, thrown, shown: (part('c1')?.['approval'] as { approved?: boolean } | undefined)?.approved };
  },
  isRight: ({ sent, thrown }) => sent.length === 1 && thrown.length > 0,
  say: ({ sent, thrown }) =>
    sent.length > 1
      ? `pressing Deny **sends an approval**`
      : thrown.length > 0
        ? `Deny fails with \`${thrown.join()}\`; nothing is sent`
        : 'Deny does nothing, without an error',
  expected: {
    ai6: { sent: [true, true], thrown: [], shown: true },
    ai7: { sent: [true], thrown: [], shown: true },
    toolgate: { sent: [true], thrown: ['already-decided'], shown: true },
  },
});
