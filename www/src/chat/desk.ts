/** The functions with which cards ask the user: the same object as long as the session is the same. */
import { createContext, useContext } from 'react';
import type { Remember } from 'toolgate';

/** An answer to one approval request. */
export interface CardAnswer {
  approvalId: string;
  approved: boolean;
  reason?: string | undefined;
  remember?: Remember | undefined;
  /** The event's `detail`: 2 for the second click of a double click, 0 for a key. */
  clicks: number;
}

/** Receives the decisions of the cards. */
export interface Desk {
  decide: (answer: CardAnswer) => void;
  /** Leaves the buttons of a card in place after a decision. */
  keepButtons: boolean;
  /** Offers to remember an approval. */
  remembers: boolean;
  /** When a request expires, in ms since 1970; undefined: never. */
  expiresAt: (approvalId: string) => number | undefined;
}

const DeskContext = createContext<Desk | undefined>(undefined);

/** Gives the desk to the cards below. */
export const DeskProvider = DeskContext.Provider;

/** The desk of the chat around a card. */
export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('a card stands in a chat');
  return desk;
}
