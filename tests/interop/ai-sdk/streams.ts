/**
 * Generated UI message streams, like those of a real server: steps of interleaved text, reasoning, files, sources,
 * data, metadata and tool calls, with approvals, the user's decisions, and the reply that follows them.
 *
 * fast-check generates a plan (plain data), which is then converted to chunks with unique ids, so that a failing plan
 * can be shrunk. Contradictory streams are not generated: they are in `picked-streams.ts`.
 */
import fc from 'fast-check';

import type { Chunk } from './peers';
import { type ToolPlan, resolutionOf, toolArbitrary, writeTool } from './tool-streams';
import { hasUnsafeKey, maybe, providerMetadata, words } from './values';

/** A decision of the user after the first stream has ended. */
export interface Answer {
  readonly approvalId: string;
  readonly approved: boolean;
  readonly reason?: string;
}

/** A reply, the user's decisions, and the reply to them. */
export interface Conversation {
  readonly first: readonly Chunk[];
  readonly answers: readonly Answer[];
  /** Empty if the first reply requests no approval, or has a call that waits for a browser tool. */
  readonly second: readonly Chunk[];
}

/** The version of `ai` that reads the streams. For 6, chunks that it does not know are not generated. */
export interface StreamOptions {
  readonly version: 6 | 7;
}

type Piece =
  | { kind: 'text' | 'reasoning'; deltas: string[]; metadata: unknown[]; ends: boolean; citations?: unknown }
  | { kind: 'chunk'; chunk: Chunk }
  | { kind: 'tool'; tool: ToolPlan };

interface StepPlan {
  pieces: Piece[];
  order: number[];
  /** Pieces that precede the others and are removed by `reset-step`. */
  discarded: Piece[];
}

interface ReplyPlan {
  steps: StepPlan[];
  startMetadata?: unknown;
  finishMetadata?: unknown;
  finishReason?: string;
}

const metadata = fc.jsonValue({ maxDepth: 2 }).filter((value) => !hasUnsafeKey(value));
const metadataObject = fc.dictionary(words, metadata, { maxKeys: 3 }).filter((value) => !hasUnsafeKey(value));

const citation = { source: { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' } };

const textPiece = (version: 6 | 7): fc.Arbitrary<Piece> =>
  fc
    .record({
      kind: fc.constantFrom('text' as const, 'reasoning' as const),
      deltas: fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 4 }),
      metadata: fc.array(maybe(providerMetadata), { minLength: 6, maxLength: 6 }),
      ends: fc.constantFrom(true, true, true, false),
      citations: maybe(fc.constant([citation])),
    })
    .map(({ citations, ...piece }) =>
      citations === undefined || version === 6 || piece.kind === 'reasoning' ? piece : { ...piece, citations },
    );

const compact = (chunk: Chunk): Chunk =>
  Object.fromEntries(Object.entries(chunk).filter(([, value]) => value !== undefined)) as Chunk;

const oneOff = (version: 6 | 7): fc.Arbitrary<Piece> => {
  const file = fc.record({
    mediaType: fc.constantFrom('image/png', 'text/plain'),
    url: fc.constant('data:text/plain,a'),
    providerMetadata: maybe(providerMetadata),
  });
  const data = fc.record({
    type: fc.constantFrom('data-weather', 'data-', 'data-a-b'),
    id: maybe(fc.constantFrom('d1', 'd2', '__proto__')),
    data: metadata,
    transient: maybe(fc.boolean()),
  });
  const common: fc.Arbitrary<Chunk>[] = [
    file.map((rest) => ({ type: 'file', ...rest })),
    fc
      .record({
        sourceId: words,
        url: fc.constant('https://example.com/'),
        title: maybe(words),
        providerMetadata: maybe(providerMetadata),
      })
      .map((rest) => ({ type: 'source-url', ...rest })),
    fc
      .record({
        sourceId: words,
        mediaType: fc.constant('text/html'),
        title: words,
        filename: maybe(words),
        providerMetadata: maybe(providerMetadata),
      })
      .map((rest) => ({ type: 'source-document', ...rest })),
    data,
    metadataObject.map((messageMetadata) => ({ type: 'message-metadata', messageMetadata })),
    fc.constantFrom<Chunk>(
      { type: 'abort' },
      { type: 'something-new', value: { a: 1 } },
      { type: 'tool-something-new', toolCallId: 'x' },
    ),
  ];
  const since7: fc.Arbitrary<Chunk>[] = [
    file.map((rest) => ({ type: 'reasoning-file', ...rest })),
    maybe(providerMetadata).map((rest) => ({ type: 'custom', kind: 'provider.kind', providerMetadata: rest })),
  ];
  return fc
    .oneof(...common, ...(version === 7 ? since7 : []))
    .map((chunk) => ({ kind: 'chunk', chunk: compact(chunk) }));
};

const toolPiece = (version: 6 | 7, isLast: boolean): fc.Arbitrary<Piece> =>
  toolArbitrary(version, isLast).map((tool) => ({ kind: 'tool', tool }));

const none: fc.Arbitrary<Piece[]> = fc.constant([]);

const stepPlan = (version: 6 | 7, isLast: boolean): fc.Arbitrary<StepPlan> =>
  fc.record({
    pieces: fc.array<Piece>(
      fc.oneof<fc.Arbitrary<Piece>[]>(
        textPiece(version),
        oneOff(version),
        toolPiece(version, isLast),
        toolPiece(version, isLast),
      ),
      { maxLength: 4 },
    ),
    order: fc.array(fc.nat(97), { minLength: 40, maxLength: 40 }),
    discarded: version === 7 ? fc.oneof(none, fc.array(textPiece(version), { minLength: 1, maxLength: 2 })) : none,
  });

const replyPlan = (version: 6 | 7): fc.Arbitrary<ReplyPlan> =>
  fc
    .record({
      earlier: fc.array(stepPlan(version, false), { maxLength: 2 }),
      last: stepPlan(version, true),
      startMetadata: maybe(metadataObject),
      finishMetadata: maybe(metadataObject),
      finishReason: maybe(fc.constantFrom('stop', 'length', 'tool-calls', 'other')),
    })
    .map(({ earlier, last, ...rest }) => ({ ...rest, steps: [...earlier, last] }));

/** Interleaves lists: each keeps its order, and `order` selects the next list. */
function interleave(lists: readonly (readonly Chunk[])[], order: readonly number[]): Chunk[] {
  const left = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const merged: Chunk[] = [];
  for (let turn = 0; left.length > 0; turn++) {
    const index = order[turn % order.length]! % left.length;
    merged.push(left[index]!.shift()!);
    if (left[index]!.length === 0) left.splice(index, 1);
  }
  return merged;
}

function writeText(piece: Extract<Piece, { deltas: string[] }>, id: string): Chunk[] {
  const { kind, deltas, ends, citations } = piece;
  const withMetadata = (chunk: Chunk, index: number): Chunk =>
    compact({ ...chunk, providerMetadata: piece.metadata[index] });
  return [
    withMetadata({ type: `${kind}-start`, id }, 0),
    ...deltas.map((delta, index) => withMetadata({ type: `${kind}-delta`, id, delta }, index + 1)),
    ...(ends ? [withMetadata(compact({ type: `${kind}-end`, id, citations }), 5)] : []),
  ];
}

/** Writes plans as chunks. All texts and calls that one writer writes have different ids. */
class Writer {
  #ids = 0;
  readonly asked: { approvalId: string; toolCallId: string; tool: ToolPlan }[] = [];
  /** Whether a call waits for a browser tool. Then the step stays incomplete, and no second reply is generated. */
  isOpen = false;

  reply(
    messageId: string,
    { steps, startMetadata, finishMetadata, finishReason }: ReplyPlan,
    before: readonly Chunk[] = [],
  ): Chunk[] {
    let deferred: Chunk[] = [];
    const body = steps.flatMap((step, index) => {
      const carried = deferred;
      deferred = [];
      const lists = [carried, ...step.pieces.map((piece) => this.#piece(piece, (chunks) => deferred.push(...chunks)))];
      const discarded = interleave(
        step.discarded.map((piece) => this.#piece(piece, () => {})),
        step.order,
      );
      return [
        { type: 'start-step' },
        ...(discarded.length > 0 ? [...discarded, { type: 'reset-step' }] : []),
        ...interleave(lists, step.order),
        ...(index === steps.length - 1 ? deferred : []),
        { type: 'finish-step' },
      ];
    });
    return [
      compact({ type: 'start', messageId, messageMetadata: startMetadata }),
      ...before,
      ...body,
      compact({ type: 'finish', finishReason, messageMetadata: finishMetadata }),
    ];
  }

  #piece(piece: Piece, defer: (chunks: readonly Chunk[]) => void): Chunk[] {
    if (piece.kind === 'chunk') return [piece.chunk];
    // The first ids are unusual, such as names of built-in properties; plain ids follow.
    const special = ['__proto__', 'constructor', 'a\nb', ' '][this.#ids];
    const id = special ?? `id-${this.#ids}`;
    this.#ids++;
    if (piece.kind !== 'tool') return writeText(piece, id);
    const written = writeTool(piece.tool, id, `ask-${id}`);
    defer(written.deferred);
    this.isOpen ||= written.isOpen;
    if (written.asks) this.asked.push({ approvalId: `ask-${id}`, toolCallId: id, tool: piece.tool });
    return written.chunks;
  }
}

/** Conversations of one reply, or of two when the first asks for approval. */
export const conversations = ({ version }: StreamOptions): fc.Arbitrary<Conversation> =>
  fc
    .record({
      first: replyPlan(version),
      second: replyPlan(version),
      approvals: fc.array(fc.record({ approved: fc.boolean(), reason: maybe(words) }), { minLength: 8, maxLength: 8 }),
      order: fc.array(fc.nat(97), { minLength: 10, maxLength: 10 }),
    })
    .map(({ first, second, approvals, order }) => {
      const writer = new Writer();
      const firstChunks = writer.reply('m1', first);
      const asked = writer.isOpen ? [] : [...writer.asked];
      const answers = asked.map(({ approvalId }, index): Answer => {
        const { approved, reason } = approvals[index % approvals.length]!;
        return reason === undefined ? { approvalId, approved } : { approvalId, approved, reason };
      });
      const resolutions = interleave(
        asked.map(({ toolCallId, tool }, index) => resolutionOf(tool, toolCallId, answers[index]!.approved)),
        order,
      );
      const secondChunks = asked.length === 0 ? [] : writer.reply('m1', second, resolutions);
      return { first: received(firstChunks), answers, second: received(secondChunks) };
    });

/** Converts a value to JSON and back, as a transport does. */
const received = (chunks: readonly Chunk[]): Chunk[] => JSON.parse(JSON.stringify(chunks)) as Chunk[];
