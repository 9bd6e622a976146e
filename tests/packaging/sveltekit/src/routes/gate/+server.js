/** The package on the server. */
import { json } from '@sveltejs/kit';
import { askedTwice } from '../../../scenario/chat.js';

export async function GET() {
  const gate = await askedTwice();
  return json({ pending: gate.pending().length });
}
