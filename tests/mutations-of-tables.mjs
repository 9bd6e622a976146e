/**
 * Ways to break what the tables of the exchange, of items and of calls say, and `waiting()`: see tests/mutations.mjs, which
 * has them too. `./pkg-scripts/mutate tables` tries these alone.
 */
const machine = (name) => `src/machine/${name}.rs`;

const mutation = (invariant, says, file, find, put) => ({ invariant, says, file: machine(file), find, put });
const exchange = (invariant, says, find, put) => mutation(invariant, says, 'turn/transition', find, put);
const item = (invariant, says, find, put) => mutation(invariant, says, 'outbox/transition', find, put);
const call = (invariant, says, find, put) => mutation(invariant, says, 'call/transition', find, put);
const effect = (invariant, says, find, put) => mutation(invariant, says, 'call/effect', find, put);
const waiting = (says, find, put) => mutation(14, says, 'waiting', find, put);

export const tableMutations = [
  exchange(
    14,
    'a reply without a request does not end by its own finish',
    'Terminal | StreamFinishes | StreamBreaks | Stop | Cancel | Reload => End, SendFails',
    'Terminal => NoteEnding, StreamFinishes | StreamBreaks | Stop | Cancel | Reload => End, SendFails',
  ),
  exchange(
    14,
    'a reply without a request does not end by stop',
    'Terminal | StreamFinishes | StreamBreaks | Stop | Cancel | Reload => End, SendFails',
    'Stop => MarkStopped, Terminal | StreamFinishes | StreamBreaks | Cancel | Reload => End, SendFails',
  ),
  exchange(
    14,
    'metadata opens a reply',
    'Housekeeping | Terminal => Ignore, Labelled | Reconnected => Open, Foreign => Late, StreamFinishes | StreamBreaks | SendFails',
    'Housekeeping => OpenUnrequested, Terminal => Ignore, Labelled | Reconnected => Open, Foreign => Late, StreamFinishes | StreamBreaks | SendFails',
  ),
  exchange(
    1,
    'a stream that breaks before its reply begins says that the request failed',
    'StreamBreaks | Reload => Lose, SendFails => Fail,',
    'Reload => Lose, StreamBreaks | SendFails => Fail,',
  ),
  exchange(
    4,
    'an event of another request belongs to the reply that is arriving',
    'Continue, Terminal => NoteEnding, Foreign => Late, StreamFinishes | StreamBreaks | SendFails | Reload => End,',
    'Continue, Terminal => NoteEnding, Foreign => Continue, StreamFinishes | StreamBreaks | SendFails | Reload => End,',
  ),
  exchange(
    14,
    'reconnecting never takes too long',
    'StreamFinishes | StreamBreaks | Stop | Cancel | TimeIsUp | Reload => Return, SendFails => Ignore,',
    'StreamFinishes | StreamBreaks | Stop | Cancel | Reload => Return, TimeIsUp | SendFails => Ignore,',
  ),
  exchange(14, 'what arrives later in a cancelled reply is asked', 'Cancel => MarkCancelled,', 'Cancel => Ignore,'),
  item(
    7,
    'a reply without what it owed is done',
    'ItemInput::ReplyIsDue | ItemInput::ReplyEnds => To(Done), ItemInput::ReplyOwes => To(Stalled), ItemInput::IsLost | ItemInput::Reload => To(Unconfirmed),',
    'ItemInput::ReplyIsDue | ItemInput::ReplyEnds | ItemInput::ReplyOwes => To(Done), ItemInput::IsLost | ItemInput::Reload => To(Unconfirmed),',
  ),
  item(
    14,
    'a stalled item cannot be retried',
    'Stalled => match input { ItemInput::Retry => To(Ready),',
    'Stalled => match input { ItemInput::Retry => Ignore,',
  ),
  item(
    10,
    'a request whose reply was arriving is done after a restore',
    'ItemInput::ReplyOwes => To(Stalled), ItemInput::IsLost | ItemInput::Reload => To(Unconfirmed), ItemInput::GiveUp => Remove, ItemInput::Claim | ItemInput::ReplyBegins',
    'ItemInput::ReplyOwes => To(Stalled), ItemInput::Reload => To(Done), ItemInput::IsLost => To(Unconfirmed), ItemInput::GiveUp => Remove, ItemInput::Claim | ItemInput::ReplyBegins',
  ),
  item(
    1,
    'a request that is taken back is sent all the same',
    'ItemInput::TakeBack | ItemInput::GiveUp => Remove, ItemInput::BackToFailed',
    'ItemInput::GiveUp => Remove, ItemInput::TakeBack => Ignore, ItemInput::BackToFailed',
  ),
  item(
    14,
    'a late settlement does not end a stall',
    'Stalled => match input { ItemInput::Retry => To(Ready), ItemInput::ReplyBegins => To(Replying), ItemInput::Settles => To(Done),',
    'Stalled => match input { ItemInput::Retry => To(Ready), ItemInput::ReplyBegins => To(Replying), ItemInput::Settles => Ignore,',
  ),
  call(
    5,
    'an approval that was sent cannot be asked about again',
    'Input::Request => To(Phase::ApprovalRequested, Ask), Input::BackendDenied => To(Phase::Denied, DenyThere), Input::Preliminary => To(Phase::Preliminary, Nothing), Input::Output => To(Phase::OutputAvailable, Settle(Executed)), Input::InputError | Input::Error => To(Phase::OutputError, Settle(Failed)), Input::PageOutput',
    'Input::Request => Ignore, Input::BackendDenied => To(Phase::Denied, DenyThere), Input::Preliminary => To(Phase::Preliminary, Nothing), Input::Output => To(Phase::OutputAvailable, Settle(Executed)), Input::InputError | Input::Error => To(Phase::OutputError, Settle(Failed)), Input::PageOutput',
  ),
  call(
    4,
    'a call that ran unasked is no anomaly',
    'Input::Output => ToWithAnomaly(Phase::OutputAvailable, Settle(Executed), Code::ApprovalPending),',
    'Input::Output => To(Phase::OutputAvailable, Settle(Executed)),',
  ),
  call(
    14,
    'what a stream leaves half written is never closed',
    'Input::Interrupt => To(Phase::OutputError, Close(Interrupted)), Input::BackendApproved | Input::BackendDenied | Input::RequestAgain => Anomaly(Code::UnknownApproval), Input::Approve | Input::Deny => Refuse(Code::UnknownApproval), Input::PageOutput | Input::PageError => Refuse(Code::Busy),',
    'Input::Interrupt => Ignore, Input::BackendApproved | Input::BackendDenied | Input::RequestAgain => Anomaly(Code::UnknownApproval), Input::Approve | Input::Deny => Refuse(Code::UnknownApproval), Input::PageOutput | Input::PageError => Refuse(Code::Busy),',
  ),
  effect(1, 'an approval is not held until it is sent', 'Effect::HoldDecision => self.delivery = Delivery::Held,', 'Effect::HoldDecision => {}'),
  effect(
    8,
    'a call that is asked again keeps the delivery of its last answer',
    'self.input_complete = true; self.delivery = Delivery::None; self.outcome = None;',
    'self.input_complete = true; self.outcome = None;',
  ),
  effect(
    1,
    'what the backend settled is answered all the same',
    'self.outcome = Some(Outcome::new(kind)); self.drop_held_decision(); } Effect::SettleHere',
    'self.outcome = Some(Outcome::new(kind)); } Effect::SettleHere',
  ),
  waiting(
    'nobody waits for the page',
    'waiting.add(WaitsOn::Tool, transcript.waiting_for_page() > 0 || servers_are_pages);',
    'waiting.add(WaitsOn::Tool, servers_are_pages);',
  ),
  waiting(
    'nobody is to resume what is held',
    'waiting.add(WaitsOn::Resume, releases && transcript.has_unsent());',
    'let _ = releases;',
  ),
  waiting(
    'an item that cannot be retried is named for it',
    'let is_free = item.is_answer() || (self.exchange == Exchange::Idle && self.outbox.active().is_none());',
    'let is_free = true;',
  ),
  waiting('nobody waits for the host', 'waiting.add(WaitsOn::Host, self.outgoing().next().is_some());', ''),
  waiting(
    'an item that must not be repeated is named for a retry',
    'waiting.add(WaitsOn::Retry, undelivered(false));',
    'waiting.add(WaitsOn::Retry, undelivered(false) || undelivered(true));',
  ),
  waiting(
    'after a reply broke off the page is to run what its server was running',
    'WaitsFor::Server => self.exchange == Exchange::Idle && !self.turn.broke_off(),',
    'WaitsFor::Server => self.exchange == Exchange::Idle,',
  ),
  waiting(
    'a step is sent past a failed one',
    '!blocked && self.outbox.active().is_none() && self.failed_with_approvals().is_none()',
    '!blocked && self.outbox.active().is_none()',
  ),
];
