/**
 * The subjects that are measured in this process, each at several sizes: with Toolgate, with the AI SDK's client, and
 * with plain JavaScript. A new subject needs only an entry here.
 */
import { editsInput, fileInput, inputChunks } from './data.mjs';
import { measured } from './measure.mjs';
import { APIS, nextRequestTo } from './model-apis.mjs';
import * as ours from './ours.mjs';
import * as peers from './peers.mjs';
import { storeDecisions, storeMessages, storeRecord } from './persisting.mjs';
import * as plain from './plain.mjs';

const number = (size) => size.toLocaleString('en');

/** The rounds of each side: the AI SDK needs up to seconds for a round. */
const ROUNDS = { ours: 15, peer: 5, plain: 15 };

/** A subject. `sides` has a function of the size for each side; `figureName` is the measured field of its result. */
const subject = (name, unit, sizes, label, sides, figureName, rounds = ROUNDS) => ({
  name,
  unit,
  points: sizes.map((size) => ({
    size,
    label: label(size),
    measure: async () => {
      const point = {};
      for (const [side, act] of Object.entries(sides))
        point[side] = (await measured(() => act(size), rounds[side]))[figureName];
      return point;
    },
  })),
});

const streamed = (name, make) =>
  subject(
    `a tool-input delta of 16 characters and a look at the partial input: ${name}`,
    'µs',
    [4, 16, 64],
    (size) => `${size} KB`,
    Object.fromEntries(
      Object.entries({ ours, peer: peers, plain }).map(([side, { streamInput }]) => [
        side,
        (size) => streamInput(inputChunks(make(size * 1024), 16)),
      ]),
    ),
    'each',
    { ours: 9, peer: 3, plain: 9 },
  );

const approvals = (size) => `${number(size)} approvals`;
const messages = (size) => `${number(size)} messages`;
const LONG = [100, 1_000, 10_000];
const FEW = { ours: 9, peer: 5, plain: 9 };

/** The subjects, in the order of the table. */
export const SUBJECTS = [
  streamed('one long text', fileInput),
  streamed('many small edits', editsInput),
  ...[
    ['one approval answered, shown by the subscriber of its call', ours.answerFollowed],
    ['one approval answered, and all messages read', ours.answerAll],
  ].map(([name, ownAct]) =>
    subject(
      name,
      'µs',
      [10, 100, 1_000, 5_000],
      approvals,
      { ours: ownAct, peer: peers.answerAll, plain: plain.answerAll },
      'each',
    ),
  ),
  subject(
    'one approval answered, sent over a WebSocket and shown',
    'µs',
    [100, 1_000, 5_000],
    approvals,
    { ours: ours.sendEach, plain: plain.sendEach },
    'each',
    FEW,
  ),
  subject(
    'the same, all answered at once and sent by `deliver`',
    'µs',
    [100, 1_000, 5_000],
    approvals,
    { ours: ours.deliverAll },
    'each',
    FEW,
  ),
  subject(
    'a chat opened: loaded, shown, its first request',
    'ms',
    LONG,
    messages,
    { ours: ours.openChat, peer: peers.openChat, plain: plain.openChat },
    'ms',
    FEW,
  ),
  ...[
    ['in a running chat', 'warm'],
    ['right after it was loaded', 'cold'],
  ].map(([where, figureName]) =>
    subject(
      `the next request after one decision, ${where}`,
      'ms',
      LONG,
      messages,
      {
        ours: ours.nextRequest,
        peer: async (size) => ({ [figureName]: (await peers.nextRequest(size)).ms }),
        plain: plain.nextRequest,
      },
      figureName,
      FEW,
    ),
  ),
  ...Object.keys(APIS).map((api) =>
    subject(
      `the next request after one decision, in a running chat: ${api}`,
      'ms',
      [10_000],
      messages,
      {
        ours: (size) => nextRequestTo(api, size),
        peer: async (size) => ({ warm: (await peers.nextRequest(size)).ms }),
        plain: plain.nextRequest,
      },
      'warm',
      FEW,
    ),
  ),
  ...[
    ['a decision stored', 'decision'],
    ['its claim stored before the request is sent', 'claim'],
  ].map(([what, figureName]) =>
    subject(
      what,
      'ms',
      LONG,
      messages,
      {
        ours: storeDecisions,
        peer: (size) => ({ [figureName]: storeMessages(size).ms }),
        plain: () => ({ [figureName]: storeRecord().ms }),
      },
      figureName,
      { ours: 3, peer: 9, plain: 9 },
    ),
  ),
];
