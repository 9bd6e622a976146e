/** The server runs the tool, its reply is lost on the way, and the user clicks Approve again. */
import { bug, count } from '../bug';
import { played } from '../play';

export default bug({
  id: 'lost-reply',
  title: 'The reply to an approval is lost; Approve is clicked again',
  cause: 'The second click sends the same decision again, and nothing tells the server that it is the same.',
  rule: 'The tool runs once, however often the user clicks.',
  async run(side) {
    const { backend } = await played(side, 'lost-reply');
    return { answers: backend.requests.length - 1, ran: backend.ran };
  },
  isRight: ({ answers, ran }) => answers === 1 && ran.length === 1,
  say: ({ answers, ran }) =>
    ran.length > 1
      ? `the tool **runs ${count(ran.length, 'time')}**`
      : `${count(answers, 'request')}; ran ${count(ran.length, 'time')}`,
  expected: {
    ai6: { answers: 2, ran: ['remove#c1', 'remove#c1'] },
    ai7: { answers: 1, ran: ['remove#c1'] },
    toolgate: { answers: 1, ran: ['remove#c1'] },
  },
});
