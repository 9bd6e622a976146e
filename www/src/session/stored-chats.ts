/**
 * The chat of each scenario: its id and its policy, in `localStorage`, so that a reload and a second tab find the same
 * one. `toolgate/persist` stores the chat itself under the id.
 */
import type { OnDeny } from 'toolgate';

/** What is stored about a scenario's chat. */
export interface StoredChat {
  id: string;
  onDeny: OnDeny;
}

const PREFIX = 'toolgate-demo:';

/** The chat that this browser has started for a scenario. */
export function storedChat(scenarioId: string): StoredChat | undefined {
  return parse(localStorage.getItem(PREFIX + scenarioId));
}

/** Stores `chat` as the chat of the scenario, for every tab of this browser. */
export function storeChat(scenarioId: string, chat: StoredChat): void {
  localStorage.setItem(PREFIX + scenarioId, JSON.stringify(chat));
}

/** Calls `listener` when another tab has started another chat for a scenario. Returns an unsubscribe function. */
export function onOtherChat(listener: (scenarioId: string, id: string) => void): () => void {
  const changed = ({ key, newValue }: StorageEvent): void => {
    const chat = parse(newValue);
    if (chat && key?.startsWith(PREFIX)) listener(key.slice(PREFIX.length), chat.id);
  };
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
}

function parse(text: string | null): StoredChat | undefined {
  try {
    const { id, onDeny } = JSON.parse(text ?? '') as Partial<StoredChat>;
    return typeof id === 'string' ? { id, onDeny: onDeny ?? 'continue' } : undefined;
  } catch {
    return undefined;
  }
}
