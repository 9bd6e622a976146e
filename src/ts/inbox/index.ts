/** `toolgate/inbox`: the pending approvals of many chats as one list. Loads no WebAssembly. */
export { Inbox } from './inbox.js';
export type {
  ApprovalEntry,
  ClosedApproval,
  ClosedChat,
  ClosedEntry,
  ClosedHref,
  InboxChat,
  InboxEntry,
  InboxView,
  UndeliveredEntry,
} from './inbox-types.js';
