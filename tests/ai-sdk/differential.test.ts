/**
 * A guarded chat against an unguarded one, on React's `Chat` of AI SDK 6 and 7: callbacks with their arguments and
 * order, statuses, ids, what the transport is asked, and what is shown in the end. Wherever the two are meant to
 * differ, the difference itself is asserted.
 */
import { lastAssistantMessageIsCompleteWithApprovalResponses as complete7 } from 'ai';
import { lastAssistantMessageIsCompleteWithApprovalResponses as complete6 } from 'ai6';
import { init } from 'toolgate';
import { guard } from 'toolgate/ai-sdk';
import { beforeAll, describe, expect, test } from 'vitest';

import { reactChats } from './support/chats';
import { approvals, same, trace } from './support/scenarios';

beforeAll(() => init());

describe.each(reactChats)('$name', kind => {
  test.each(same)('$name: the same', async scenario => {
    const bare = await trace(kind, scenario, chat => chat);
    const guarded = await trace(kind, scenario, chat => guard(chat));
    expect(guarded).toEqual(bare);
  });

  test.each(approvals)('$name: the same', async scenario => {
    const chat = { sendAutomaticallyWhen: kind.version === 7 ? complete7 : complete6 };
    const bare = await trace(kind, { ...scenario, chat }, chat => chat);
    const guarded = await trace(kind, { ...scenario, chat }, chat => guard(chat));
    expect(guarded).toEqual(bare);
  });
});
