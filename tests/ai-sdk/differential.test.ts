/**
 * Compares a guarded chat with an unguarded one, for React's `Chat` of AI SDK 6 and 7: callbacks with their arguments
 * and order, statuses, ids, requests to the transport, and the final messages. Intended differences are asserted.
 */
import { lastAssistantMessageIsCompleteWithApprovalResponses as complete7 } from 'ai';
import { lastAssistantMessageIsCompleteWithApprovalResponses as complete6 } from 'ai6';
import { init } from 'toolgate';
import { guard } from 'toolgate/ai-sdk';
import { beforeAll, describe, expect, test } from 'vitest';

import { type ChatKind, reactChats } from './support/chats';
import { differences } from './support/differences';
import { approvals, same, type Scenario } from './support/scenarios';
import { trace } from './support/trace';

beforeAll(() => init());

async function both(kind: ChatKind, scenario: Scenario): Promise<{ bare: string[]; guarded: string[] }> {
  return {
    bare: await trace(kind, scenario, (chat) => chat),
    guarded: await trace(kind, scenario, (chat) => guard(chat)),
  };
}

/** The lines that `these` contains more often than `those`, in order. */
function only(these: readonly string[], those: readonly string[]): string[] {
  const rest = [...those];
  return these.filter((line) => {
    const found = rest.indexOf(line);
    if (found >= 0) rest.splice(found, 1);
    return found < 0;
  });
}

describe.each(reactChats)('$name', (kind) => {
  test.each(same)('equal: $name', async (scenario) => {
    const { bare, guarded } = await both(kind, scenario);
    expect(guarded).toEqual(bare);
  });

  test.each(approvals)('equal with the predicate for approvals: $name', async (scenario) => {
    const chat = { sendAutomaticallyWhen: kind.version === 7 ? complete7 : complete6 };
    const { bare, guarded } = await both(kind, { ...scenario, chat });
    expect(guarded).toEqual(bare);
  });

  test.each(differences)('different: $name', async (difference) => {
    const { bare, guarded } = await both(kind, difference);
    const expected = (lines: (typeof difference)['bare']) =>
      ('length' in lines ? lines : lines[kind.version]).map((line) => expect.stringContaining(line) as string);
    expect(only(bare, guarded)).toEqual(expected(difference.bare));
    expect(only(guarded, bare)).toEqual(expected(difference.guarded));
  });
});
