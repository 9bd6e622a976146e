/** The package on the server. */
import { askedTwice } from '../../scenario/chat.js';

export default defineEventHandler(async () => {
  const gate = await askedTwice();
  return { pending: gate.pending().length };
});
