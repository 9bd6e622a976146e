/**
 * Mutations of the crate, by invariant. `./pkg-scripts/mutate` applies each of them and expects a native test to fail.
 * The exploration must also fail with at least one mutation of each invariant. The numbers are those of the invariants
 * in docs/how-it-works.md.
 *
 * `find` occurs in `file` exactly once (spaces and line breaks don't matter), and is replaced by `put`.
 */
import { answerMutations } from './answers.mjs';
import { callMutations } from './call-table.mjs';
import { exchangeMutations } from './exchange.mjs';
import { inputMutations } from './inputs.mjs';
import { outboxMutations } from './outbox.mjs';
import { passingMutations } from './passing.mjs';
import { policyMutations } from './policies.mjs';
import { releaseMutations } from './release.mjs';
import { repeatedIdMutations } from './repeated-ids.mjs';
import { replyMutations } from './replies.mjs';
import { savingMutations } from './saving.mjs';
import { waitingMutations } from './waiting.mjs';

const machine = (name) => `src/machine/${name}.rs`;
const wire = (name) => `src/wire/${name}.rs`;

/** The lists in other files, by the names that `./pkg-scripts/mutate` accepts. */
export const lists = {
  policies: policyMutations,
  answers: answerMutations,
  saving: savingMutations,
  calls: callMutations,
  outbox: outboxMutations,
  passing: passingMutations,
  exchange: exchangeMutations,
  replies: replyMutations,
  waiting: waitingMutations,
  ids: repeatedIdMutations,
  inputs: inputMutations,
  release: releaseMutations,
};

export const mutations = [
  // 1. Each approval gets one decision, and the decision is sent once.
  {
    invariant: 1,
    says: 'a caller can claim an outgoing item that is not listed as ready',
    file: machine('outbox/deliver'),
    find: 'let listed = self.item(id).is_some_and(|item| self.is_listed(item));',
    put: 'let listed = self.item(id).is_some();',
  },
  {
    invariant: 1,
    says: 'a second decision can turn an approval into a denial',
    file: machine('call/transition'),
    find: 'Input::Approve | Input::Deny => CompareWithDecision, Input::Sent => To(Phase::Submitted, Nothing),',
    put: `Input::Approve => CompareWithDecision, Input::Deny => To(Phase::Denied, DenyByClient(Denied)),
          Input::Sent => To(Phase::Submitted, Nothing),`,
  },
  {
    invariant: 1,
    says: 'a request in flight is ready again after a restore',
    file: machine('outbox/transition'),
    find: `ItemInput::IsLost | ItemInput::Reload => To(Unconfirmed),
           ItemInput::GiveUp => Remove,
           ItemInput::Claim | ItemInput::NoReplyExpected`,
    put: `ItemInput::IsLost => To(Unconfirmed),
          ItemInput::Reload => To(Ready),
          ItemInput::GiveUp => Remove,
          ItemInput::Claim | ItemInput::NoReplyExpected`,
  },
  {
    invariant: 1,
    says: 'a second request may be sent while the first one is in flight',
    file: machine('advance'),
    find: 'if self.exchange != Exchange::Idle || self.outbox.active().is_some() { return; }',
    put: 'if self.exchange.reply().is_some() { return; }',
  },
  {
    invariant: 1,
    says: 'a request that failed is listed as ready again without a retry',
    file: machine('outbox/transition'),
    find: 'ItemInput::SendFails => To(Failed), ItemInput::IsLost',
    put: 'ItemInput::SendFails => To(Ready), ItemInput::IsLost',
  },
  {
    invariant: 1,
    says: 'a decision has the same idempotency key whether it approves or denies',
    file: wire('idempotency_key'),
    find: 'if carried.approved { Name::Approved } else { Name::Denied }',
    put: 'if carried.approved { Name::Approved } else { Name::Approved }',
  },
  {
    invariant: 1,
    says: 'a retry has another idempotency key than the first attempt',
    file: wire('idempotency_key'),
    find: 'values.push_number(list, item.id.into()); } list',
    put: 'values.push_number(list, item.id.into()); } values.push_number(list, item.attempt.into()); list',
  },

  // 2. A denied part never carries an output.
  {
    invariant: 2,
    says: 'the backend can still add an output to a call that the user denied',
    file: machine('call/transition'),
    find: `Input::Preliminary | Input::Output => Anomaly(Code::AlreadySettled),
           Input::InputError | Input::Error => Anomaly(Code::AlreadySettled),
           Input::OutputDenied | Input::ConfirmDenial`,
    put: `Input::Preliminary => Anomaly(Code::AlreadySettled),
          Input::Output => To(Phase::OutputAvailable, Settle(Executed)),
          Input::InputError | Input::Error => Anomaly(Code::AlreadySettled),
          Input::OutputDenied | Input::ConfirmDenial`,
  },
  {
    invariant: 2,
    says: 'the page can still add an output to a call that the user denied',
    file: machine('call/transition'),
    find: `Input::PageOutput | Input::PageError => Refuse(Code::AlreadySettled),
           Input::Skip | Input::Expire | Input::Cancel | Input::Sent | Input::Interrupt => Ignore,`,
    put: `Input::PageOutput | Input::PageError => Update,
          Input::Skip | Input::Expire | Input::Cancel | Input::Sent | Input::Interrupt => Ignore,`,
  },
  {
    invariant: 2,
    says: 'a call that the backend ran without waiting for its approval is sent with that undecided approval',
    file: wire('ai_sdk/ui_message'),
    find: 'Phase::Preliminary | Phase::OutputAvailable => Some(approval.decision.as_ref().filter(|d| d.approved)?),',
    put: 'Phase::Preliminary | Phase::OutputAvailable => approval.decision.as_ref(),',
  },

  // 3. No call is without a result, no result without a call, and no result occurs twice.
  {
    invariant: 3,
    says: 'a new user message does not close the undecided calls before it',
    file: machine('advance'),
    find: 'self.close_undecided(); self.turn.clear_holds();',
    put: 'self.turn.clear_holds();',
  },
  {
    invariant: 3,
    says: 'a call whose approval is pending is in the history that is sent to the model',
    file: wire('ai_sdk/entry'),
    find: 'phase.is_settled() || phase.is_approved() ||',
    put: 'phase.is_settled() || phase.is_approved() || phase == Phase::ApprovalRequested ||',
  },
  {
    invariant: 3,
    says: 'loading a history does not remove repeated calls',
    file: machine('history/merge'),
    find: 'copies.push(at);',
    put: '',
  },

  // 4. Settled states do not change; a contradiction only emits an event.
  {
    invariant: 4,
    says: 'a later output replaces the first one',
    file: machine('call/transition'),
    find: `Input::Preliminary | Input::Output | Input::Error => Anomaly(Code::AlreadySettled),
           Input::OutputDenied => Anomaly(Code::AlreadySettled),`,
    put: `Input::Output => Update, Input::Preliminary | Input::Error => Anomaly(Code::AlreadySettled),
          Input::OutputDenied => Anomaly(Code::AlreadySettled),`,
  },
  {
    invariant: 4,
    says: 'events that contradict a settled call do not cause an anomaly',
    file: machine('apply'),
    find: 'if ran || !(is_rest || is_late || self.is_replayed(at)) {',
    put: 'if false {',
  },

  // 5. An approval request never removes a decision.
  {
    invariant: 5,
    says: "a new approval request removes the user's approval before it was sent",
    file: machine('call/transition'),
    find: 'Input::Request | Input::BackendDenied => Anomaly(Code::AlreadyDecided), // The backend continued',
    put: `Input::Request => To(Phase::ApprovalRequested, Ask),
          Input::BackendDenied => Anomaly(Code::AlreadyDecided),
          // The backend continued`,
  },
  {
    invariant: 5,
    says: "a new approval request removes the user's denial before it was sent",
    file: machine('call/transition'),
    find: 'Input::Request | Input::BackendApproved => Anomaly(Code::AlreadyDecided),',
    put: `Input::Request => To(Phase::ApprovalRequested, Ask),
          Input::BackendApproved => Anomaly(Code::AlreadyDecided),`,
  },
  {
    invariant: 5,
    says: 'a repeated approval request is handled as a new one, and removes the decision',
    file: machine('backend/requests'),
    find: 'RequestKind::Repeated => Input::RequestAgain,',
    put: 'RequestKind::Repeated => Input::Request,',
  },

  // 6. A decision applies only to the approval, the call and the input it was shown for.
  {
    invariant: 6,
    says: "a decision is accepted although the call's input is not the one that was shown",
    file: machine('user/respond'),
    find: 'Some(false) => return Err(Refusal::new(Code::StaleInput, RefusalReason::Stale).about(part)),',
    put: 'Some(false) => {}',
  },
  {
    invariant: 6,
    says: 'an approval that a later step superseded can still be decided',
    file: machine('backend/decisions'),
    find: 'if part.phase().is_revocable() {',
    put: 'if part.phase() == Phase::Approved {',
  },
  {
    invariant: 6,
    says: 'two calls can have the same approval',
    file: machine('backend/requests'),
    find: 'Some(owner) if !self.approval_is_free(request.approval, key) || self.is_owned_ahead(owner, part) => {',
    put: 'Some(_) if false => {',
  },
  {
    invariant: 6,
    says: 'the input of a call changes while its approval is pending',
    file: machine('call/transition'),
    find: `Input::InputStart | Input::InputDelta | Input::InputAvailable => Ignore,
           Input::InputUpdate => Update,`,
    put: `Input::InputStart => Update, Input::InputDelta | Input::InputAvailable => Ignore,
          Input::InputUpdate => Update,`,
  },

  // 7. No reply causes a second automatic submission.
  {
    invariant: 7,
    says: 'the output of a page tool counts as unsent again after it was sent',
    file: machine('outbox/deliver'),
    find: 'part.unsent_output = false;',
    put: '',
  },
  {
    invariant: 7,
    says: 'a reply marks the decisions in its request as undelivered',
    file: machine('exchange/end'),
    find: 'let owes_content = !is_aside && !only_arrives;',
    put: `let owes_content = !is_aside && !only_arrives;
          for &key in &calls {
            if let Some(at) = self.transcript.place(key) {
              self.transcript.update(at, &mut |part| part.set_delivery(super::Delivery::Held));
            }
          }`,
  },
  {
    invariant: 7,
    says: 'a reply without content completes its request, which should stall',
    file: machine('exchange/end'),
    find: 'let empty = owes_content && !reply.content;',
    put: 'let empty = owes_content && false;',
  },

  // 8. Outcomes stay distinguishable, after a reload too.
  {
    invariant: 8,
    says: 'the saved message does not contain that a closed call may have run',
    file: wire('ai_sdk/ui_message'),
    find: 'w.values.set_flag(own, Name::MayHaveRun, true);',
    put: '',
  },
  {
    invariant: 8,
    says: 'a call that was cancelled is loaded as an interrupted one',
    file: wire('ai_sdk/stored_outcome'),
    find: 'let mut outcome = stored.filter(|outcome| !outcome.kind.is_from_tool());',
    put: 'let mut outcome = stored.filter(|outcome| !outcome.kind.is_from_tool()).map(|outcome| Outcome { kind: OutcomeKind::Interrupted, ..outcome });',
  },
  {
    invariant: 8,
    says: 'closing a call whose approval was sent reports that the call has not run',
    file: machine('call/effect'),
    find: 'may_have_run: from.may_have_started(),',
    put: 'may_have_run: from.may_have_started() && false,',
  },

  // 9. The next request contains an incomplete turn once, and no message or call is doubled.
  {
    invariant: 9,
    says: 'a queued message stays in the queue after it was sent',
    file: machine('advance'),
    find: 'let mut queue = self.queue.take();',
    put: 'let mut queue = self.queue.messages().to_vec();',
  },
  {
    invariant: 9,
    says: 'a call that the backend announces a second time is added as another call',
    file: machine('exchange/replay/which_call'),
    find: 'found.get_or_insert(at);',
    put: 'let _ = found;',
  },

  // 11. No input panics; unknown content passes through unchanged.
  {
    invariant: 11,
    says: 'an event of an unknown type is not passed on to the host',
    file: wire('ai_sdk/stream'),
    find: 'if !values.is_data(chunk.value) { return Ok(Received::Unknown); }',
    put: 'if !values.is_data(chunk.value) { return Ok(Received::Taken); }',
  },
  {
    invariant: 11,
    says: 'unknown fields of an event are not kept in its part',
    file: wire('ai_sdk/tool_chunk'),
    find: 'values.extend(fields, values.omit(chunk.value, OmitKeys::PlacedInToolChunk));',
    put: '',
  },
  {
    invariant: 11,
    says: 'a replay that is longer than the message causes a panic',
    file: machine('exchange/replay/reconcile'),
    find: 'parts.get(self.cursor..self.end).unwrap_or_default()',
    put: '&parts[self.cursor..self.end]',
  },

  // 12. Splitting, doubling or replaying a stream does not change the transcript.
  {
    invariant: 12,
    says: 'the parts of a replayed reply are appended instead of matched with the existing ones',
    file: machine('exchange/reply_message'),
    find: 'if reply.is_replay { self.read_again(); }',
    put: 'if false { self.read_again(); }',
  },
  {
    invariant: 12,
    says: 'new content that follows a replay overwrites existing parts',
    file: machine('exchange/replay/reconcile'),
    find: '(replay.cursor, replay.pending) = (replay.end, 0);',
    put: 'replay.pending = 0;',
  },

  // 14. The chat never waits endlessly.
  {
    invariant: 14,
    says: 'a queued message is not sent after `cancel`',
    file: machine('user/cancel'),
    find: 'self.unsent_approvals().next().is_none() { self.turn.resume(); } self.advance();',
    put: 'self.unsent_approvals().next().is_none() { self.turn.resume(); }',
  },
  {
    invariant: 14,
    says: "the user's second message does not give up a failed request for which the first one waits",
    file: machine('user/send_message'),
    find: 'self.give_up(failed, Input::Interrupt, Payload::NONE);',
    put: 'let _ = failed;',
  },
  {
    invariant: 14,
    says: 'a step is sent while an approval of it is pending',
    file: machine('waiting'),
    find: 'let blocks = [WaitsOn::Reply, WaitsOn::User, WaitsOn::Tool,',
    put: 'let blocks = [WaitsOn::Reply, WaitsOn::Tool,',
  },
  {
    invariant: 14,
    says: 'denials of earlier steps are sent again with the next step',
    file: machine('advance'),
    find: 'if part.phase() == Phase::Denied { self.apply(at, Input::ConfirmDenial);',
    put: 'if part.phase() == Phase::Denied { let _ = at;',
  },
  {
    invariant: 14,
    says: 'the backend can request approval again for a call of an earlier step',
    file: machine('backend/requests'),
    find: 'if self.is_past(at) { return',
    put: 'if false { return',
  },

  ...Object.values(lists).flat(),
];
