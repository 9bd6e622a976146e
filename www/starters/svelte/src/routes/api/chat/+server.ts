import { answer } from '../../../lib/server/chat.ts';

export const POST = ({ request }: { request: Request }) => answer(request);
