/**
 * The rules for every state, and for the state in which no events are left.
 */
import { callsOf, isOfNextRelease, type Page, type World } from './world.js';

/** The broken rules in this state; empty if there are none. */
export function brokenRules(world: World): string[] {
  const wrong: string[] = [];
  if (world.isDowngraded) wrong.push('a record of the next release was replaced by one of this release');
  const approved = world.actions.some(({ action }) => action === 'approve');
  for (const [call, times] of world.ran) {
    if (times > 1) wrong.push(`${call} ran ${times} times`);
    if (!approved) wrong.push(`${call} ran without an approval`);
    if (world.shownDenied.has(call)) wrong.push(`${call} ran after a tab showed that it will not run`);
  }
  const keys = world.sent.map(({ item }) => item.key);
  for (const key of new Set(keys)) {
    const pages = world.sent.filter(({ item }) => item.key === key).map(({ page }) => page.id);
    if (pages.length > 1) wrong.push(`one request was sent by ${pages.join(' and ')}`);
  }
  return wrong;
}

/** The broken rules of a world without further events. `areAllAwake`: no page is frozen. */
export function brokenRulesAtRest(world: World, areAllAwake: boolean): string[] {
  const wrong: string[] = [];
  const live = world.pages.filter((page) => !page.isGone && !page.isClosed && !isOutdated(world, page));
  const awake = live.filter((page) => !page.isFrozen);
  if (world.isLoggedOut) return brokenByLogOut(world, awake);
  if (world.isCleared && JSON.stringify([...world.disk.values]).includes('tidy up'))
    wrong.push('what `clear()` has deleted is stored again');
  const leaders = awake.filter(({ persister }) => persister.isLeader);
  if (leaders.length > 1) wrong.push(`${leaders.map(({ id }) => id).join(' and ')} are both leaders`);
  // Without locks a follower leads only when its user needs a leader.
  if (world.hasLocks && areAllAwake && live.length > 0 && leaders.length === 0) wrong.push('no tab is the leader');
  const [leader] = leaders;
  // Nobody takes the lead from a tab of another release, not even from a frozen one.
  const holder =
    live.find(({ persister }) => persister.isLeader) ??
    live.find(({ id, isFrozen }) => isFrozen && isOfNextRelease(id) && world.hasLocks);
  for (const { id, persister } of awake.filter((page) => isOfSameRelease(page, holder)))
    if (persister.waiting > 0) wrong.push(`${id} has ${persister.waiting} actions that stay unconfirmed`);
  if (!leader) return wrong;
  const { status } = leader.gate.getSnapshot();
  if (status === 'submitted' || status === 'streaming')
    wrong.push(`${leader.id} is ${status}, and no request is in flight`);
  wrong.push(...lostActions(world, leader));
  // Without messages a follower shows what was stored when it was opened.
  if (areAllAwake && world.hasChannel) wrong.push(...differingPages(live, leader));
  return wrong;
}

/** Whether a tab has ended because the next release has stored the chat. */
function isOutdated(world: World, { id, persister }: Page): boolean {
  return world.isStoredByNext && !isOfNextRelease(id) && persister.state === 'closed';
}

/** Whether a tab understands the leader. A tab of another release does not follow, and says so. */
function isOfSameRelease({ id }: Page, leader: Page | undefined): boolean {
  return !leader || isOfNextRelease(id) === isOfNextRelease(leader.id);
}

/** Tabs that are open after the user has logged out, and what is stored then. */
function brokenByLogOut(world: World, awake: readonly Page[]): string[] {
  const open = awake.filter(({ persister }) => persister.state !== 'closed');
  const stored = [...world.disk.values.keys()].filter((key) => key !== 'chat ended');
  return [
    ...open.map(({ id }) => `${id} is open after the log-out`),
    ...stored.map((key) => `"${key}" is stored after the log-out`),
  ];
}

/** Actions that have no effect and were not reported as failed. */
function lostActions(world: World, leader: Page): string[] {
  const view = leader.gate.getSnapshot();
  const messages = [...view.messages, ...view.queued].map(({ id }) => id);
  const isPending = callsOf(view).some(({ state }) => state === 'approval-requested');
  return world.actions.flatMap((given) => {
    const { action, page, message, errorsBefore, isStored } = given;
    const isThere = message === undefined ? !isPending : messages.filter((id) => id === message).length === 1;
    if (isThere) return [];
    // No other tab has received the action yet: the page is frozen, or was closed at that moment.
    const isApart = page.isGone || page.isClosed || !isOfSameRelease(page, leader);
    if (page.isFrozen || (isApart && world.isWaiting(given))) return [];
    // The action was not stored before the page was closed; or the page reported that it failed.
    if (page.isGone || page.isClosed ? !isStored : page.errors.length > errorsBefore) return [];
    return [`"${action}" in ${page.id} is lost`];
  });
}

/** Pages that show another state than the leader. */
function differingPages(live: readonly Page[], leader: Page): string[] {
  const shown = JSON.stringify(leader.gate.getSnapshot().messages);
  return live
    .filter((page) => isOfSameRelease(page, leader))
    .flatMap(({ id, gate }) =>
      JSON.stringify(gate.getSnapshot().messages) === shown ? [] : [`${id} shows another state than ${leader.id}`],
    );
}
