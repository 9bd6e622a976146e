/**
 * The functions that cards call when the user decides. The object stays the same as long as the session is the same.
 */
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
export interface CardActions {
  decide: (answer: CardAnswer) => void;
  /** Called when the reason for denying a call is opened and closed. */
  denying: (isDenying: boolean) => void;
  /** Leaves the buttons of a card in place after a decision. */
  keepButtons: boolean;
  /** Offers to remember an approval. */
  remembers: boolean;
  /** When a request expires, in ms since 1970; undefined: never. */
  expiresAt: (approvalId: string) => number | undefined;
}

const CardActionsContext = createContext<CardActions | undefined>(undefined);

/** Provides the functions to the cards below. */
export const CardActionsProvider = CardActionsContext.Provider;

/** The functions of the chat around a card. */
export function useCardActions(): CardActions {
  const cardActions = useContext(CardActionsContext);
  if (!cardActions) throw new Error('a card must be inside a chat');
  return cardActions;
}
