/** Which session is open: it changes with the scenario, when the user starts over, and when another tab does. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Scenario } from '../scenarios/index';
import type { SessionSettings } from './connection';
import { openSession, type Session, type Wish } from './session';
import { onOtherChat } from './stored-chats';

/** The open session, and how to open another one. The old one stays on the screen until the new one is there. */
export interface OpenSession {
  session: Session;
  /** Another one is being opened: what is done to this one would be lost. */
  isOpening: boolean;
  /** Shows another scenario: the chat of it that is kept, or a fresh one. */
  choose: (scenario: Scenario) => void;
  /** Deletes the chat, what is kept of it and the backend's record, and begins a fresh one. */
  startOver: (wish?: Wish) => void;
}

/** Opens sessions, one at a time. */
export function useOpenSession(first: Session, settings: SessionSettings): OpenSession {
  const [session, setSession] = useState(first);
  const [isOpening, setOpening] = useState(false);
  const turn = useRef(0);

  const open = useCallback(
    async (scenario: Scenario, wish: Wish): Promise<void> => {
      const mine = ++turn.current;
      setOpening(true);
      const next = await openSession(scenario, settings, wish);
      if (mine !== turn.current) return next.close();
      setSession(next);
      setOpening(false);
      const url = new URL(location.href);
      url.searchParams.set('scenario', scenario.id);
      history.replaceState(null, '', url);
    },
    [settings],
  );

  const choose = useCallback(
    (scenario: Scenario): void => {
      session.close();
      void open(scenario, {});
    },
    [session, open],
  );

  const startOver = useCallback(
    (wish: Wish = {}): void => {
      setOpening(true);
      void session.discard().then(() => open(session.scenario, { onDeny: session.onDeny, ...wish, fresh: true }));
    },
    [session, open],
  );

  // Another tab started over: this one goes there too.
  useEffect(
    () =>
      onOtherChat((scenarioId, id) => {
        if (scenarioId !== session.scenario.id || id === session.id) return;
        session.close();
        void open(session.scenario, {});
      }),
    [session, open],
  );

  return { session, isOpening, choose, startOver };
}
