/** The package on the server. */
import { resolveApprovals } from 'toolgate/resolve';
import { askedTwice } from '../../../scenario/chat.js';

export const dynamic = 'force-dynamic';

export async function GET() {
  const gate = await askedTwice();
  const { messages } = await resolveApprovals([], {});
  return Response.json({ pending: gate.pending().length, messages });
}
