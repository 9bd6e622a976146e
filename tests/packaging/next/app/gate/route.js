/** The package on the server. */
import { askedTwice } from '../../scenario/chat.js';

export const dynamic = 'force-dynamic';

export async function GET() {
  const gate = await askedTwice();
  return Response.json({ pending: gate.pending().length });
}
