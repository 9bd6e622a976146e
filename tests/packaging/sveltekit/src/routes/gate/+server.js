/** The package on the server. The server's bundle has no WebAssembly file next to it, so the route passes the bytes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from '@sveltejs/kit';
import { askedTwice } from '../../../scenario/chat.js';

const WASM = join(process.cwd(), 'node_modules/toolgate/dist/toolgate.wasm');

export async function GET() {
  const gate = await askedTwice(await readFile(WASM));
  return json({ pending: gate.pending().length });
}
