/**
 * Mutations of snapshots and of loading histories: see mutations.mjs.
 */
const machine = (name) => `src/machine/${name}.rs`;
const wire = (name) => `src/wire/${name}.rs`;

export const savingMutations = [
  // 10. A restored machine behaves like the saved one.
  {
    invariant: 10,
    says: 'a snapshot does not contain whether decisions are held',
    file: machine('turn/turn'),
    find: 'holds.ledger(ledger);',
    put: 'let _ = holds;',
  },
  {
    invariant: 10,
    says: 'an input that was incomplete in the snapshot does not continue after a restore',
    file: machine('call/saving'),
    find: 'ledger.continue_input(input, fields);',
    put: '',
  },
  {
    invariant: 12,
    says: 'after a history is loaded, a replay of its last reply counts as the reply to newer decisions',
    file: machine('history/relink'),
    find: 'let followed = if item.is_some() { Followed::Lost } else { Followed::Not };',
    put: 'let followed = Followed::Not;',
  },
  {
    invariant: 10,
    says: 'a snapshot stores a stalled request as done',
    file: machine('outbox/item'),
    find: 'variant(ledger, state, ItemState::ALL);',
    put: `let mut saved = if *state == ItemState::Stalled { ItemState::Done } else { *state };
          variant(ledger, &mut saved, ItemState::ALL);
          if ledger.is_reading() { *state = saved; }`,
  },
  {
    invariant: 10,
    says: 'a snapshot does not contain which approvals are superseded',
    file: machine('transcript/saving'),
    find: '(owner.key(), matches!(owner, ApprovalOwner::Superseded(_)));',
    put: '(owner.key(), false);',
  },
  {
    invariant: 10,
    says: "a request's body is freed although the request may be retried",
    file: machine('outbox/item'),
    find: '[self.body, self.key, self.error, self.envelope].into_iter().for_each(each);',
    put: '[self.key, self.error, self.envelope].into_iter().for_each(each);',
  },
  {
    invariant: 10,
    says: 'a snapshot does not contain that a denial skips the rest of the step',
    file: machine('turn/turn'),
    find: 'flag(ledger, skips);',
    put: 'let _ = skips;',
  },
  {
    invariant: 10,
    says: 'a snapshot does not contain remembered decisions',
    file: machine('history/restore'),
    find: 'remembered.ledger(ledger);',
    put: 'let _ = remembered;',
  },
  {
    invariant: 10,
    says: 'a snapshot does not contain the deadlines of approvals',
    file: machine('call/approval'),
    find: 'option(ledger, expires_at, || 0, |ledger, time| ledger.time(time));',
    put: 'let _ = expires_at;',
  },
  {
    invariant: 10,
    says: 'after a restore the host is not asked again to rewrite a result',
    file: machine('history/restore'),
    find: 'self.request_rewrites_again();',
    put: '',
  },
  {
    invariant: 11,
    says: 'a snapshot whose reply names a message that does not exist is accepted',
    file: machine('history/check'),
    find: 'unique && are_sendable && self.replies_are_consistent() && self.calls_are_consistent()',
    put: 'unique && are_sendable && self.calls_are_consistent()',
  },
  {
    invariant: 2,
    says: 'a snapshot with a request that contains the output of a denied call is accepted',
    file: machine('history/check'),
    find: 'ascending && outputs_exist && keys_exist && item.attempt > 0',
    put: 'ascending && keys_exist && item.attempt > 0',
  },
  {
    invariant: 10,
    says: 'a snapshot with a request that names a call that does not exist is accepted',
    file: machine('history/check'),
    find: 'outputs_exist && keys_exist && item.attempt',
    put: 'outputs_exist && item.attempt',
  },

  // 13. An assembled history can be loaded, and the loaded chat assembles the same history.
  {
    invariant: 13,
    says: 'the boundaries of steps are lost when model messages are loaded',
    file: wire('ai_sdk/load_model'),
    find: 'message.parts.push(Part::StepStart);',
    put: '',
  },
  {
    invariant: 13,
    says: 'loading leaves an approved call of an earlier step open although it has no result',
    file: machine('history/load'),
    find: 'self.close(at, Input::Interrupt, if stale { self.options.superseded } else { Payload::NONE });',
    put: 'let _ = stale;',
  },
  {
    invariant: 13,
    says: 'after loading, the host is asked again to rewrite the text of a closed call',
    file: wire('ai_sdk/stored_outcome'),
    find: 'part.written = part.output;',
    put: '',
  },
  {
    invariant: 14,
    says: 'loading the history that is already shown starts the deadlines of its approvals again',
    file: machine('history/relink'),
    find: 'loaded.requested_at = asked.requested_at; loaded.expires_at = asked.expires_at;',
    put: '',
  },
  {
    invariant: 14,
    says: 'loading a history removes the outputs of page tools that were not sent yet',
    file: machine('history/load'),
    find: '(is_decided(part) || part.has_unsent_output()) && !carried',
    put: 'is_decided(part) && !carried',
  },
  {
    invariant: 14,
    says: 'loading a history removes an unsent approval whose call the page has already run',
    file: machine('history/load'),
    find: ' || part.has_unsent_output();',
    put: ';',
  },
  {
    invariant: 14,
    says: 'loading a history removes ready requests without counting their contents as unsent',
    file: machine('history/load'),
    find: 'self.queue_unsent_messages(); self.take_back_ready_items();',
    put: 'self.queue_unsent_messages(); self.outbox.retain(&|item| item.state() != ItemState::Ready);',
  },
  {
    invariant: 6,
    says: 'two loaded calls with the same id can both be approved',
    file: machine('history/load'),
    find: 'let followed = !in_step || self.transcript.newest(part.call) != Some(part.key());',
    put: 'let followed = !in_step;',
  },
  {
    invariant: 4,
    says: 'a page tool runs again after an app loads a history that it stored before the tool ran',
    file: machine('history/load'),
    find: 'self.keep_page_outputs(&old);',
    put: '',
  },
  {
    invariant: 14,
    says: 'a request with the output of a page tool is sent for a loaded call without that output',
    file: machine('history/relink'),
    find: '!carried.output ||',
    put: 'true ||',
  },
  {
    invariant: 1,
    says: 'after a history is loaded, a superseded approval can be requested and decided again',
    file: machine('history/relink'),
    find: 'matches!(owner, ApprovalOwner::Superseded(_))',
    put: 'false',
  },
  {
    invariant: 1,
    says: 'loading a result of the provider forgets the decision that was made in this chat',
    file: machine('history/relink'),
    find: 'new.decision = Some(*decision);',
    put: 'let _ = new;',
  },
  {
    invariant: 2,
    says: 'a loaded result of the provider replaces the denial that was made in this chat',
    file: machine('history/relink'),
    find: 'if differs || asks || (undecided && !decision.approved) {',
    put: 'if differs || asks {',
  },
  {
    invariant: 8,
    says: 'a loaded result beside an approval does not replace the denial that was made in this chat',
    file: machine('history/relink'),
    find: 'if differs && !tool.phase().is_open() &&',
    put: 'if differs && tool.phase() == Phase::OutputDenied &&',
  },
  {
    invariant: 3,
    says: 'a retry stays ready although a replay has added a call that has no result',
    file: machine('backend/calls'),
    find: 'if self.exchange.reply().is_some_and(|reply| reply.is_earlier) { self.withdraw_retry(); }',
    put: '',
  },
];
