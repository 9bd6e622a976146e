/**
 * What must hold: in every state, and where a world comes to rest that is left alone.
 */
import { callsOf, type Page, type World } from './world.js';

/** What is wrong in this state; nothing if all is well. */
export function unsafe(world: World): string[] {
  const wrong: string[] = [];
  const approved = world.given.some(({ deed }) => deed === 'approve');
  for (const [call, times] of world.ran) {
    if (times > 1) wrong.push(`${call} ran ${times} times`);
    if (!approved) wrong.push(`${call} ran, and nobody approved it`);
    if (world.shownDenied.has(call)) wrong.push(`${call} ran, and somebody was told that it does not run`);
  }
  const keys = world.sent.map(({ item }) => item.key);
  for (const key of new Set(keys)) {
    const pages = world.sent.filter(({ item }) => item.key === key).map(({ page }) => page.id);
    if (pages.length > 1) wrong.push(`one request was sent by ${pages.join(' and ')}`);
  }
  return wrong;
}

/** What is wrong in a world that has come to rest. `areAllAwake`: no page stands still. */
export function unsettled(world: World, areAllAwake: boolean): string[] {
  const wrong: string[] = [];
  const live = world.pages.filter((page) => !page.isGone && !page.isClosed);
  const awake = live.filter((page) => !page.isFrozen);
  const leaders = awake.filter(({ persister }) => persister.isLeader);
  if (leaders.length > 1) wrong.push(`${leaders.map(({ id }) => id).join(' and ')} lead`);
  if (areAllAwake && live.length > 0 && leaders.length === 0) wrong.push('nobody leads');
  for (const { id, persister } of awake)
    if (persister.waiting > 0) wrong.push(`${id} waits for ever with ${persister.waiting} acts`);
  const [leader] = leaders;
  if (!leader) return wrong;
  const { status } = leader.gate.getSnapshot();
  if (status === 'submitted' || status === 'streaming')
    wrong.push(`${leader.id} is ${status}, and nothing is on its way`);
  wrong.push(...lost(world, leader));
  if (areAllAwake) wrong.push(...apart(live, leader));
  return wrong;
}

/** Acts of which nothing is left, and nobody was told. */
function lost(world: World, leader: Page): string[] {
  const view = leader.gate.getSnapshot();
  const messages = [...view.messages, ...view.queued].map(({ id }) => id);
  const isPending = callsOf(view).some(({ state }) => state === 'approval-requested');
  return world.given.flatMap((given) => {
    const { deed, page, message, errorsBefore, isStored } = given;
    const isThere = message === undefined ? !isPending : messages.filter((id) => id === message).length === 1;
    if (isThere) return [];
    // Nobody has heard of it yet: the page stands still, or was gone in that moment.
    if (page.isFrozen || ((page.isGone || page.isClosed) && world.isWaiting(given))) return [];
    // It was never more than handed on, for a moment; or the page said that it did not come about.
    if (page.isGone || page.isClosed ? !isStored : page.errors.length > errorsBefore) return [];
    return [`"${deed}" in ${page.id} is lost`];
  });
}

/** Pages that show something else than the one that leads. */
function apart(live: readonly Page[], leader: Page): string[] {
  const shown = JSON.stringify(leader.gate.getSnapshot().messages);
  return live.flatMap(({ id, gate }) =>
    JSON.stringify(gate.getSnapshot().messages) === shown ? [] : [`${id} shows something else than ${leader.id}`],
  );
}
