/**
 * The page that the tests open: a guarded chat with the cards of its approvals. The page's address contains the options
 * of `persist` (`?name=…&id=…&storage=…&leader=…&outdated=…&beside`). The tests control it through `window.tab`.
 */
import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';
import { init } from 'toolgate';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { defineToolApproval, loadToolApproval } from 'toolgate/element';
import { logOut, persist } from 'toolgate/persist';

const query = new URLSearchParams(location.search);
const name = query.get('name') ?? 'chat';
const id = query.get('id') ?? name;
const errors: string[] = [];
const sent: string[] = [];

// A page without HTTPS has no locks.
if (query.get('storage') === 'no-locks') Object.defineProperty(navigator, 'locks', { value: undefined });

async function start() {
  await init('/toolgate.wasm');
  const chat = guard(new Chat({ id, transport: new DefaultChatTransport({ api: '/chat' }) }));
  const gate = gateOf(chat);
  gate.onEvent((event) => {
    if (event.type === 'delivery' && event.to === 'in-flight') {
      sent.push(event.id);
      void window.onClaim?.(event.id);
    }
  });
  const leaderTimeoutMs = Number(query.get('leader') ?? 5_000);
  const persisted = await persist(gate, {
    name: query.has('beside') ? [name, 'fresh'] : name,
    leaderTimeoutMs,
    outdated: query.get('outdated') === 'fresh' ? 'fresh' : 'wait',
    onError: (error) => errors.push(String(error)),
  });
  defineToolApproval();
  await loadToolApproval();
  const cards = document.createElement('tool-approvals');
  cards.gate = gate;
  document.body.append(cards);
  return { chat, gate, persisted, errors, sent };
}

declare global {
  interface Window {
    /** The open chat. */
    tab: Awaited<ReturnType<typeof start>>;
    logOut: typeof logOut;
    /** Set by a test. Called with the id of each item that is claimed, before `claim` returns. */
    onClaim?: (id: string) => void;
  }
}

window.logOut = logOut;
window.tab = await start();
document.title = 'ready';
