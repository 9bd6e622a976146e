/**
 * Ways to break the code, one invariant after the other: `./pkg-scripts/mutate` makes each of them and expects a native
 * test to fail, and for every invariant the exploration too. The numbers are those of the list of invariants.
 *
 * `find` stands in `file` exactly once (spaces and line breaks don't matter), and is replaced by `put`.
 */
import { answerMutations } from './mutations-of-answers.mjs';
import { policyMutations } from './mutations-of-policies.mjs';
import { tableMutations } from './mutations-of-tables.mjs';

const machine = (name) => `src/machine/${name}.rs`;
const wire = (name) => `src/wire/${name}.rs`;

/** Those that stand in files of their own, by the name that `./pkg-scripts/mutate` takes. */
export const lists = { policies: policyMutations, answers: answerMutations, tables: tableMutations };

export const mutations = [
  // 1. One decision for an approval, and it starts once.
  {
    invariant: 1,
    says: 'an item can be claimed by everybody',
    file: machine('deliver'),
    find: 'let listed = self.item(id).is_some_and(|item| self.is_listed(item));',
    put: 'let listed = self.item(id).is_some();',
  },
  {
    invariant: 1,
    says: 'an approval can be turned into a denial',
    file: machine('call/transition'),
    find: 'Input::Approve | Input::Deny => CompareWithDecision, Input::Sent => To(Phase::Submitted, Nothing),',
    put: 'Input::Approve => CompareWithDecision, Input::Deny => To(Phase::Denied, DenyHere(Denied)), Input::Sent => To(Phase::Submitted, Nothing),',
  },
  {
    invariant: 1,
    says: 'what was in flight is ready after a restore',
    file: machine('outbox/transition'),
    find: 'ItemInput::IsLost | ItemInput::Reload => To(Unconfirmed), ItemInput::GiveUp => Remove, ItemInput::Claim | ItemInput::ReplyIsDue',
    put: 'ItemInput::Reload => To(Ready), ItemInput::IsLost => To(Unconfirmed), ItemInput::GiveUp => Remove, ItemInput::Claim | ItemInput::ReplyIsDue',
  },
  {
    invariant: 1,
    says: 'a second request may leave while one is on its way',
    file: machine('release'),
    find: 'if self.exchange != Exchange::Idle || self.outbox.active().is_some() { return; }',
    put: 'if self.exchange != Exchange::Idle { return; }',
  },
  {
    invariant: 1,
    says: 'an item that failed is listed again by itself',
    file: machine('stream_end'),
    find: 'self.move_item(id, ItemInput::SendFails);',
    put: 'self.move_item(id, ItemInput::SendFails); self.send_again(id);',
  },
  {
    invariant: 1,
    says: 'approving and denying have the same key',
    file: wire('idempotency_key'),
    find: 'if carried.approved { Name::Approved } else { Name::Denied }',
    put: 'if carried.approved { Name::Approved } else { Name::Approved }',
  },
  {
    invariant: 1,
    says: 'what a retry is named by depends on how often it was tried',
    file: machine('retry'),
    find: 'item.attempt += 1; item.goes_on = goes_on;',
    put: 'item.attempt += 1; item.key = Payload::NONE; item.body = Payload::NONE; item.goes_on = goes_on;',
  },

  // 2. A denied part never carries an output.
  {
    invariant: 2,
    says: 'the backend can give a denied call an output',
    file: machine('call/transition'),
    find: 'Input::Preliminary | Input::Output => Anomaly(Code::AlreadySettled), Input::InputError | Input::Error => Anomaly(Code::AlreadySettled), Input::OutputDenied | Input::ConfirmDenial',
    put: 'Input::Preliminary => Anomaly(Code::AlreadySettled), Input::Output => To(Phase::OutputAvailable, Settle(Executed)), Input::InputError | Input::Error => Anomaly(Code::AlreadySettled), Input::OutputDenied | Input::ConfirmDenial',
  },
  {
    invariant: 2,
    says: 'the browser can give a denied call an output',
    file: machine('call/transition'),
    find: 'Input::PageOutput | Input::PageError => Refuse(Code::AlreadySettled), Input::Skip | Input::Expire | Input::Cancel | Input::Sent | Input::Interrupt => Ignore,',
    put: 'Input::PageOutput | Input::PageError => Update, Input::Skip | Input::Expire | Input::Cancel | Input::Sent | Input::Interrupt => Ignore,',
  },
  {
    invariant: 2,
    says: 'a call that ran unasked leaves with the approval that nobody gave',
    file: wire('ai_sdk/ui_message'),
    find: 'Phase::Preliminary | Phase::OutputAvailable => Some(approval.decision.as_ref().filter(|d| d.approved)?),',
    put: 'Phase::Preliminary | Phase::OutputAvailable => approval.decision.as_ref(),',
  },

  // 3. No call dangles, no result is orphaned, none is doubled.
  {
    invariant: 3,
    says: 'a message leaves open what stands before it',
    file: machine('release'),
    find: 'if self.transcript.is_in_step(at) { self.apply(at, Input::Sent); } self.apply(at, Input::Interrupt);',
    put: 'if self.transcript.is_in_step(at) { self.apply(at, Input::Sent); }',
  },
  {
    invariant: 3,
    says: 'a call that is still being asked about is in the history',
    file: wire('ai_sdk/model_message'),
    find: 'Phase::InputAvailable => part.provider_executed, Phase::InputStreaming | Phase::ApprovalRequested',
    put: 'Phase::InputAvailable => part.provider_executed, Phase::ApprovalRequested => true, Phase::InputStreaming',
  },
  {
    invariant: 3,
    says: 'a loaded history keeps its doubles',
    file: machine('history/merge'),
    find: 'copies.push(at);',
    put: '',
  },

  // 4. Settled states absorb; contradictions are events, not changes.
  {
    invariant: 4,
    says: 'a later output replaces the first one',
    file: machine('call/transition'),
    find: 'Input::Preliminary | Input::Output | Input::Error => Anomaly(Code::AlreadySettled), Input::OutputDenied => Anomaly(Code::AlreadySettled),',
    put: 'Input::Output => Update, Input::Preliminary | Input::Error => Anomaly(Code::AlreadySettled), Input::OutputDenied => Anomaly(Code::AlreadySettled),',
  },
  {
    invariant: 4,
    says: 'contradictions are passed over in silence',
    file: machine('apply'),
    find: 'if !self.is_replayed(at) { self.anomaly(refusal); }',
    put: 'let _ = refusal;',
  },

  // 5. A request never takes back a decision.
  {
    invariant: 5,
    says: 'a new request takes back an approval that has not left',
    file: machine('call/transition'),
    find: 'Input::Request | Input::BackendDenied => Anomaly(Code::AlreadyDecided), // The backend went ahead',
    put: 'Input::Request => To(Phase::ApprovalRequested, Ask), Input::BackendDenied => Anomaly(Code::AlreadyDecided), // The backend went ahead',
  },
  {
    invariant: 5,
    says: 'a new request takes back a denial',
    file: machine('call/transition'),
    find: 'Input::Request | Input::BackendApproved => Anomaly(Code::AlreadyDecided),',
    put: 'Input::Request => To(Phase::ApprovalRequested, Ask), Input::BackendApproved => Anomaly(Code::AlreadyDecided),',
  },
  {
    invariant: 5,
    says: 'a repeated request counts as a new one',
    file: machine('backend_requests'),
    find: '(true, _) => Input::RequestAgain,',
    put: '(true, _) => Input::Request,',
  },

  // 6. A decision applies only to the approval, the call and the input it was shown for.
  {
    invariant: 6,
    says: 'a decision about another input is accepted',
    file: machine('respond'),
    find: 'Some(false) => return Err(Refusal::new(Code::StaleInput, RefusalReason::Stale).about(part)),',
    put: 'Some(false) => {}',
  },
  {
    invariant: 6,
    says: 'an approval that a later step left behind can still be answered',
    file: machine('reply'),
    find: 'if matches!(part.phase(), super::Phase::ApprovalRequested | super::Phase::Approved) {',
    put: 'if matches!(part.phase(), super::Phase::Approved) {',
  },
  {
    invariant: 6,
    says: 'one approval can belong to two calls',
    file: machine('apply'),
    find: 'self.transcript.call(owner).is_none_or(|part| part.phase().is_settled())',
    put: '{ let _ = owner; true }',
  },
  {
    invariant: 6,
    says: 'the input changes under the question',
    file: machine('call/transition'),
    find: '// The user is looking at this input: it does not change under the question. Input::InputStart | Input::InputDelta | Input::InputAvailable => Ignore,',
    put: 'Input::InputAvailable => Update, Input::InputStart | Input::InputDelta => Ignore,',
  },

  // 7. No reply causes a second automatic submission.
  {
    invariant: 7,
    says: 'an output of the browser is new again after it left',
    file: machine('deliver'),
    find: 'part.unsent_output = false; part.output_in = Some(id);',
    put: 'part.output_in = Some(id);',
  },
  {
    invariant: 7,
    says: 'a reply makes its decisions undelivered again',
    file: machine('reply_end'),
    find: 'self.apply(at, Input::ConfirmDenial); } } let owes',
    put: 'self.apply(at, Input::ConfirmDenial); self.transcript.update(at, &mut |part| part.deliver(super::Delivery::Held)); } } let owes',
  },
  {
    invariant: 7,
    says: 'an empty reply is no stall',
    file: machine('reply_end'),
    find: 'if !is_answer && complete && (owes || empty) {',
    put: 'let _ = empty; if !is_answer && complete && owes {',
  },

  // 8. Outcomes stay distinguishable, after a reload too.
  {
    invariant: 8,
    says: 'that a call may have run is not kept',
    file: wire('ai_sdk/ui_message'),
    find: 'w.values.set_flag(own, Name::MayHaveRun, true);',
    put: '',
  },
  {
    invariant: 8,
    says: 'a call that was cancelled is loaded as interrupted',
    file: wire('ai_sdk/load'),
    find: 'Name::Cancelled => OutcomeKind::Cancelled,',
    put: 'Name::Cancelled => OutcomeKind::Interrupted,',
  },
  {
    invariant: 8,
    says: 'a call that left is said not to have run',
    file: machine('call/effect'),
    find: 'may_have_run: from.may_have_started(),',
    put: 'may_have_run: from == Phase::Denied,',
  },

  // 9. An incomplete turn is in the next request once, a finished one is never doubled.
  {
    invariant: 9,
    says: 'a message stays in the queue when it has left',
    file: machine('outbox/queue'),
    find: 'core::mem::take(&mut self.messages)',
    put: 'self.messages.clone()',
  },
  {
    invariant: 9,
    says: 'a call that is told again is another call',
    file: machine('which_call'),
    find: 'if (in_step || is_open) && (agrees(part, opening) || self.may_change(part)) {',
    put: 'if (in_step || is_open) && agrees(part, opening) && part.phase() == Phase::InputStreaming {',
  },

  // 10. A restored machine behaves like the first one.
  {
    invariant: 10,
    says: 'a snapshot forgets that decisions are held',
    file: machine('turn/turn'),
    find: 'holds.ledger(ledger);',
    put: 'holds.ledger(ledger); if ledger.is_reading() { *holds = Holds::default(); }',
  },
  {
    invariant: 10,
    says: 'a snapshot forgets that an item is stalled',
    file: machine('outbox/item'),
    find: 'variant(ledger, state, ItemState::ALL);',
    put: 'variant(ledger, state, ItemState::ALL); if ledger.is_reading() && *state == ItemState::Stalled { *state = ItemState::Done; }',
  },
  {
    invariant: 10,
    says: 'a snapshot forgets which approvals are closed',
    file: machine('transcript/saving'),
    find: '*owner = if closed { ApprovalOwner::Superseded(call) } else { ApprovalOwner::Call(call) };',
    put: 'let _ = closed; *owner = ApprovalOwner::Call(call);',
  },
  {
    invariant: 10,
    says: 'the host is not told that a body is still in use',
    file: machine('outbox/item'),
    find: '[self.body, self.key, self.error].into_iter()',
    put: '[self.key, self.error].into_iter()',
  },

  // 11. No input panics; what is unknown passes through untouched.
  {
    invariant: 11,
    says: 'an event of an unknown type is swallowed',
    file: wire('ai_sdk/chunk'),
    find: '_ => return Ok(Received::Unknown),',
    put: '_ => return Ok(Received::Taken),',
  },
  {
    invariant: 11,
    says: 'fields that are unknown are lost',
    file: wire('ai_sdk/tool_chunk'),
    find: 'values.extend(fields, values.rest(chunk.value, Without::PlacedInToolChunk));',
    put: '',
  },
  {
    invariant: 11,
    says: 'a snapshot that names a message out of reach is believed',
    file: machine('history/check'),
    find: 'ids.len() == all && in_reach && calls()',
    put: 'let _ = in_reach; ids.len() == all && calls()',
  },

  {
    invariant: 11,
    says: 'what is told again beyond its end panics',
    file: machine('reply'),
    find: 'let part = self.transcript.messages().get(message)?.parts.get(cursor);',
    put: 'let part = Some(&self.transcript.messages().get(message)?.parts[cursor]);',
  },

  // 12. However a stream is split, doubled or told again, the transcript is the same.
  {
    invariant: 12,
    says: 'a replay is written behind what is there',
    file: machine('reply'),
    find: 'reply.replay = is_replay.then(|| Replay { cursor: base, opened: Vec::new() });',
    put: 'reply.replay = None; let _ = Replay::default();',
  },
  {
    invariant: 12,
    says: 'a replay writes over what it has just told',
    file: machine('reply'),
    find: 'reply.replay = None; if is_other {',
    put: 'if is_other {',
  },

  // 13. What was assembled can be loaded, and assembles to the same.
  {
    invariant: 13,
    says: 'steps are lost when model messages are loaded',
    file: wire('ai_sdk/load_model'),
    find: 'message.parts.push(Part::StepStart);',
    put: '',
  },
  {
    invariant: 13,
    says: 'an approved call without a result stays open in an earlier step',
    file: machine('history/load'),
    find: 'self.close(at, Input::Interrupt, if stale { self.options.superseded } else { Payload::NONE });',
    put: 'let _ = stale;',
  },

  // 14. Nothing waits for ever.
  {
    invariant: 14,
    says: 'cancel leaves a queued message where it is',
    file: machine('user'),
    find: 'if told { self.turn.resume(); } self.advance();',
    put: 'if told { self.turn.resume(); }',
  },
  {
    invariant: 14,
    says: 'a second message does not get past a failed submission',
    file: machine('user'),
    find: 'self.give_up(failed, Input::Interrupt, Payload::NONE);',
    put: 'let _ = failed;',
  },
  {
    invariant: 14,
    says: 'a step leaves before it is decided',
    file: machine('waiting'),
    find: 'let blocks = [WaitsOn::Reply, WaitsOn::User, WaitsOn::Tool,',
    put: 'let blocks = [WaitsOn::Reply, WaitsOn::Tool,',
  },
  {
    invariant: 14,
    says: 'denials of earlier steps leave without being on record',
    file: machine('release'),
    find: 'if part.phase() == Phase::Denied { self.apply(at, Input::ConfirmDenial); }',
    put: 'if part.phase() == Phase::Denied { }',
  },
  {
    invariant: 14,
    says: 'a call of an earlier step can be asked again',
    file: machine('backend_requests'),
    find: 'if !again && !self.transcript.is_in_step(at) {',
    put: 'if false {',
  },

  ...policyMutations,
  ...answerMutations,
  ...tableMutations,
];
