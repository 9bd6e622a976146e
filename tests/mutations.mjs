/**
 * Ways to break the code, one invariant after the other: `./pkg-scripts/mutate` makes each of them and expects a native
 * test to fail, and for every invariant the exploration too. The numbers are those of the list of invariants.
 *
 * `find` stands in `file` exactly once (spaces and line breaks don't matter), and is replaced by `put`.
 */
import { answerMutations } from './mutations-of-answers.mjs';
import { policyMutations } from './mutations-of-policies.mjs';

const machine = (name) => `src/machine/${name}.rs`;
const wire = (name) => `src/wire/${name}.rs`;

/** Those that stand in files of their own, by the name that `./pkg-scripts/mutate` takes. */
export const lists = { policies: policyMutations, answers: answerMutations };

export const mutations = [
  // 1. One decision for an approval, and it starts once.
  {
    invariant: 1,
    says: 'an item can be claimed by everybody',
    file: machine('delivery'),
    find: 'let listed = self.listed(id).any(|item| item.id == id);',
    put: 'let listed = self.item(id).is_some();',
  },
  {
    invariant: 1,
    says: 'an approval can be turned into a denial',
    file: machine('table'),
    find: 'Cause::Approve | Cause::Deny => Recorded, Cause::Sent => Go(Phase::Submitted),',
    put: 'Cause::Approve => Recorded, Cause::Deny => Go(Phase::Denied), Cause::Sent => Go(Phase::Submitted),',
  },
  {
    invariant: 1,
    says: 'what was in flight is ready after a restore',
    file: machine('saved'),
    find: 'machine.move_item(id, DeliveryState::Unconfirmed);',
    put: 'machine.move_item(id, DeliveryState::Ready);',
  },
  {
    invariant: 1,
    says: 'a second request may leave while one is on its way',
    file: machine('barrier'),
    find: 'if self.reply.is_some() || self.active().is_some() { return; }',
    put: 'if self.reply.is_some() { return; }',
  },
  {
    invariant: 1,
    says: 'an item that failed is listed again by itself',
    file: machine('delivery'),
    find: 'self.move_item(id, DeliveryState::Failed);',
    put: 'self.move_item(id, DeliveryState::Failed); self.move_item(id, DeliveryState::Ready);',
  },
  {
    invariant: 1,
    says: 'approving and denying have the same key',
    file: wire('key'),
    find: 'if granted { Name::Approved } else { Name::Denied }',
    put: 'if granted { Name::Approved } else { Name::Approved }',
  },
  {
    invariant: 1,
    says: 'what a retry is named by depends on how often it was tried',
    file: wire('key'),
    find: 'values.push_number(list, item.id.into()); } list',
    put: 'values.push_number(list, item.id.into()); } values.push_number(list, item.attempt.into()); list',
  },

  // 2. A denied part never carries an output.
  {
    invariant: 2,
    says: 'the backend can give a denied call an output',
    file: machine('table'),
    find: `Cause::Preliminary | Cause::Output => Anomaly(Code::AlreadySettled),
           Cause::InputError | Cause::Error => Anomaly(Code::AlreadySettled),
           Cause::OutputDenied | Cause::ConfirmDenial => Go(Phase::OutputDenied),`,
    put: `Cause::Preliminary => Anomaly(Code::AlreadySettled),
          Cause::Output => Go(Phase::OutputAvailable),
          Cause::InputError | Cause::Error => Anomaly(Code::AlreadySettled),
          Cause::OutputDenied | Cause::ConfirmDenial => Go(Phase::OutputDenied),`,
  },
  {
    invariant: 2,
    says: 'the browser can give a denied call an output',
    file: machine('table'),
    find: `Cause::ClientOutput | Cause::ClientError => Refuse(Code::AlreadySettled),
           Cause::Skip | Cause::Expire | Cause::Cancel | Cause::Sent | Cause::Interrupt => Ignore,`,
    put: `Cause::ClientOutput | Cause::ClientError => Keep,
          Cause::Skip | Cause::Expire | Cause::Cancel | Cause::Sent | Cause::Interrupt => Ignore,`,
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
    file: machine('user'),
    find: 'if !kept {',
    put: 'if false {',
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
    file: machine('load'),
    find: 'doubled.push((m, p));',
    put: '',
  },

  // 4. Settled states absorb; contradictions are events, not changes.
  {
    invariant: 4,
    says: 'a later output replaces the first one',
    file: machine('table'),
    find: `Cause::Preliminary | Cause::Output | Cause::Error => Anomaly(Code::AlreadySettled),
           Cause::OutputDenied => Anomaly(Code::AlreadySettled),`,
    put: `Cause::Output => Keep, Cause::Preliminary | Cause::Error => Anomaly(Code::AlreadySettled),
          Cause::OutputDenied => Anomaly(Code::AlreadySettled),`,
  },
  {
    invariant: 4,
    says: 'contradictions are passed over in silence',
    file: machine('transition'),
    find: 'Verdict::Anomaly(code) if !self.is_replay(at) =>',
    put: 'Verdict::Anomaly(code) if false =>',
  },

  // 5. A request never takes back a decision.
  {
    invariant: 5,
    says: 'a new request takes back an approval that has not left',
    file: machine('table'),
    find: 'Cause::Request | Cause::BackendDenied => Anomaly(Code::AlreadyDecided), // The backend went ahead',
    put: `Cause::Request => Go(Phase::ApprovalRequested),
          Cause::BackendDenied => Anomaly(Code::AlreadyDecided),
          // The backend went ahead`,
  },
  {
    invariant: 5,
    says: 'a new request takes back a denial',
    file: machine('table'),
    find: 'Cause::Request | Cause::BackendApproved => Anomaly(Code::AlreadyDecided),',
    put: 'Cause::Request => Go(Phase::ApprovalRequested), Cause::BackendApproved => Anomaly(Code::AlreadyDecided),',
  },
  {
    invariant: 5,
    says: 'a repeated request counts as a new one',
    file: machine('calls'),
    find: '(true, _) => Cause::RequestAgain,',
    put: '(true, _) => Cause::Request,',
  },

  // 6. A decision applies only to the approval, the call and the input it was shown for.
  {
    invariant: 6,
    says: 'a decision about another input is accepted',
    file: machine('decide'),
    find: 'if !as_shown &&',
    put: 'if false &&',
  },
  {
    invariant: 6,
    says: 'an approval that a later step left behind can still be answered',
    file: machine('barrier'),
    find: 'if matches!(part.phase, Phase::ApprovalRequested | Phase::Approved) {',
    put: 'if matches!(part.phase, Phase::Approved) {',
  },
  {
    invariant: 6,
    says: 'one approval can belong to two calls',
    file: machine('calls'),
    find: 'Some(Holder::Call(holder)) if holder == call => true,',
    put: 'Some(Holder::Call(holder)) if holder == call => true, Some(Holder::Call(_)) => false,',
  },
  {
    invariant: 6,
    says: 'the input changes under the question',
    file: wire('ai_sdk/tool_chunk'),
    find: '&& !values.same(part.input, value)',
    put: '&& false',
  },

  // 7. No reply causes a second automatic submission.
  {
    invariant: 7,
    says: 'an output of the browser is new again after it left',
    file: machine('delivery'),
    find: 'if !alone && core::mem::take(&mut part.unsent_output) {',
    put: 'if !alone && part.unsent_output {',
  },
  {
    invariant: 7,
    says: 'a reply makes its decisions undelivered again',
    file: machine('ending'),
    find: 'let completes = ending.completes_step();',
    put: `let completes = ending.completes_step();
          for at in self.step().collect::<alloc::vec::Vec<_>>() {
            if let Some(part) = self.transcript.tool_mut(at) { part.delivery = part.delivery.map(|_| DeliveryState::Held); }
          }`,
  },
  {
    invariant: 7,
    says: 'an empty reply is no stall',
    file: machine('ending'),
    find: '&& (owes || !reply.content);',
    put: '&& owes;',
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
    file: machine('transition'),
    find: 'Cause::Interrupt => outcome(OutcomeKind::Interrupted, started),',
    put: 'Cause::Interrupt => outcome(OutcomeKind::Interrupted, false),',
  },

  // 9. An incomplete turn is in the next request once, a finished one is never doubled.
  {
    invariant: 9,
    says: 'a message stays in the queue when it has left',
    file: machine('user'),
    find: 'let queue = core::mem::take(&mut self.queue);',
    put: 'let queue = self.queue.clone();',
  },
  {
    invariant: 9,
    says: 'a call that is told again is another call',
    file: machine('calls'),
    find: 'let Some(at) = self.transcript.find(call) else { let mut part = ToolPart::new',
    put: 'let Some(at) = self.transcript.find(call).filter(|_| false) else { let mut part = ToolPart::new',
  },

  // 10. A restored machine behaves like the first one.
  {
    invariant: 10,
    says: 'a snapshot forgets that decisions are held',
    file: machine('saved'),
    find: 'machine.hold = saved.hold;',
    put: '',
  },
  {
    invariant: 10,
    says: 'a snapshot forgets that an item is stalled',
    file: wire('snapshot/write'),
    find: 'self.flag(item.stalled);',
    put: 'self.flag(false);',
  },
  {
    invariant: 10,
    says: 'a snapshot forgets which approvals are closed',
    file: wire('snapshot/write'),
    find: 'out.flag(matches!(holder, Holder::Superseded(_)));',
    put: 'out.flag(false);',
  },
  {
    invariant: 10,
    says: 'the host is not told that a body is still in use',
    file: machine('machine'),
    find: 'keep(item.body);',
    put: '',
  },

  // 11. No input panics; what is unknown passes through untouched.
  {
    invariant: 11,
    says: 'an event of an unknown type is swallowed',
    file: wire('ai_sdk/chunk'),
    find: 'if !is_chunk(kind) { return Ok(Received::Unknown); }',
    put: 'if !is_chunk(kind) { return Ok(Received::Taken); }',
  },
  {
    invariant: 11,
    says: 'fields that are unknown are lost',
    file: wire('ai_sdk/tool_chunk'),
    find: 'values.extend(fields, values.rest(chunk, Without::PlacedInToolChunk));',
    put: '',
  },
  {
    invariant: 11,
    says: 'a snapshot that names a message out of reach is believed',
    file: wire('snapshot/read'),
    find: 'if !from.sound ||',
    put: 'if',
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
    find: 'reply.replay = replayed.map(|_| base);',
    put: 'reply.replay = None;',
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
    file: machine('load'),
    find: 'self.close(at, Cause::Interrupt, if stale { self.options.superseded } else { Payload::NONE });',
    put: 'let _ = stale;',
  },

  // 14. Nothing waits for ever.
  {
    invariant: 14,
    says: 'cancel leaves a queued message where it is',
    file: machine('user'),
    find: 'self.hold &= !told; self.touch(); self.advance();',
    put: 'self.hold &= !told; self.touch();',
  },
  {
    invariant: 14,
    says: 'a second message does not get past a failed submission',
    file: machine('user'),
    find: 'self.give_up(failed, Cause::Interrupt, Payload::NONE);',
    put: 'let _ = failed;',
  },
  {
    invariant: 14,
    says: 'a step leaves before it is decided',
    file: machine('barrier'),
    find: 'Phase::InputStreaming | Phase::ApprovalRequested | Phase::AutomaticRequest => true,',
    put: 'Phase::InputStreaming | Phase::AutomaticRequest => true, Phase::ApprovalRequested => false,',
  },
  {
    invariant: 14,
    says: 'denials of earlier steps leave without being on record',
    file: machine('barrier'),
    find: 'self.apply(at, super::Cause::ConfirmDenial);',
    put: 'let _ = at;',
  },
  {
    invariant: 14,
    says: 'a call of an earlier step can be asked again',
    file: machine('calls'),
    find: 'if !again && !self.is_in_step(at) {',
    put: 'if false {',
  },

  ...policyMutations,
  ...answerMutations,
];
