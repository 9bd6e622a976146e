/** Starts a page of the demo: loads Toolgate, reads the address, opens the first chat. */
import { init } from 'toolgate';
import { scenarioById } from '../scenarios/index';
import { OpenChat } from './open-chat';
import type { DemoChat, MakeChat } from './session';

declare global {
  interface Window {
    /** The chat's id, the record's data as plain JSON, and a promise that resolves when the whole chat is stored. */
    __backend?: {
      id: string;
      record: () => unknown;
      sent: () => unknown;
      log: () => unknown;
      kept: () => Promise<void>;
    };
  }
}

/** The options of a page. */
export interface PageOptions<CHAT extends DemoChat> {
  /** Makes the chat of the page's framework. */
  makeChat: MakeChat<CHAT>;
  /** Whether the page shows the policy and which tab sends. */
  hasSettings: boolean;
  /** Renders into the element. */
  render: (root: HTMLElement, open: OpenChat<CHAT>) => void;
}

/** Opens the first chat, and renders. Shows the error on the page if it cannot start. */
export async function start<CHAT extends DemoChat>({
  makeChat,
  hasSettings,
  render,
}: PageOptions<CHAT>): Promise<void> {
  const root = document.getElementById('root')!;
  const query = new URLSearchParams(location.search);
  // The Node server writes its address here; the static page says `embedded`.
  const backend = document.querySelector<HTMLMetaElement>('meta[name="toolgate-backend"]')?.content ?? 'embedded';
  const scenario = scenarioById(query.get('scenario'), backend !== 'embedded', hasSettings);
  try {
    await init();
    // `?pace=instant` makes the scripted model write at once; the browser tests use it.
    const open = await OpenChat.begin(makeChat, scenario, {
      backend,
      pace: query.get('pace') === 'instant' ? 'instant' : 'natural',
    });
    showToConsole(open);
    root.replaceChildren();
    render(root, open);
  } catch (error) {
    root.textContent = `The page could not start: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The record's data, for use in the console and for the browser tests. */
function showToConsole<CHAT extends DemoChat>(open: OpenChat<CHAT>): void {
  const show = (): void => {
    const { id, record, wire, log, saved } = open.get().session;
    window.__backend = {
      id,
      record: () => record.get(),
      sent: () => wire.get(),
      log: () => log.get(),
      kept: () => saved(),
    };
  };
  show();
  open.subscribe(show);
}
