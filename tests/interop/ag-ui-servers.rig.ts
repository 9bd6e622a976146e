/**
 * The AG-UI servers of vendors (tests/interop/python/ag_ui), each in a virtual environment of its own, with a scripted
 * model. One server serves all chats of a test file.
 */
import type { Protocol, ToolGateOptions } from 'toolgate';
import { openChat, type PythonServer } from './python';
import type { Reply, Session } from './rig';
import { exchange, gateFor, type Data } from './support';
import type { ProtocolName } from '../protocols/all.js';

/** A vendor's server. */
export interface Vendor {
  /** The name of its environment, and of its file of requirements. */
  readonly environment: string;
  /** The name of its script. */
  readonly script: string;
  readonly protocol: Protocol;
  /** The part of the address after the number of the chat. */
  readonly path?: string;
  /** Options of the script. */
  readonly options?: Data;
}

/** A chat with a vendor's server. */
export interface VendorSession extends Session {
  /** The bodies that were sent. */
  readonly requests: readonly Data[];
  /** Posts a body to the server, outside of the gate, and returns the events of the reply. */
  post(body: unknown): Promise<readonly Data[]>;
}

/** Opens a chat with a vendor's server. */
export async function openVendor(
  server: PythonServer,
  vendor: Vendor,
  replies: readonly Reply[],
  options: ToolGateOptions = {},
): Promise<VendorSession> {
  const { chat, ran, prompts, look } = await openChat(server, { replies, options: vendor.options });
  const address = `${server.url}/ag-ui/${chat}${vendor.path ?? ''}`;
  const gate = gateFor(vendor.protocol.name as ProtocolName, { protocol: vendor.protocol, ...options });
  const requests: Data[] = [];
  const post = async (sent: unknown): Promise<readonly Data[]> => {
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(sent) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    await look();
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line as string));
  };
  return {
    gate,
    ran,
    prompts,
    requests,
    post,
    async send(item) {
      requests.push(item.body);
      try {
        await exchange(gate, item, address);
      } finally {
        await look();
      }
    },
  };
}
