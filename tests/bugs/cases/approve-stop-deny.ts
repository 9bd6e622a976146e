/** Approve, press Stop while the request is being sent, then press Deny. */
import { bug } from '../bug';
import { played } from '../play';

export default bug({
  id: 'approve-stop-deny',
  title: 'Approve, Stop, then Deny',
  cause: 'The chat keeps the first decision without an error. Version 6 then sends it again.',
  rule: 'The first decision was sent and counts. A later Deny fails with an error and sends nothing.',
  async run(side) {
    const { backend, thrown, part } = await played(side, 'stop-then-deny');
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
