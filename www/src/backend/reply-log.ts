/**
 * A reply that can be read more than once: the chunks so far, and then those still to come.
 * With it the backend finishes a reply whether or not the client is still listening, and can give the same reply
 * again when the same request is repeated. It does not know what the chunks mean.
 */

/** Stores the chunks of one reply. */
export class ReplyLog<Chunk> {
  readonly #chunks: Chunk[] = [];
  #ended = false;
  #wake: (() => void)[] = [];

  /** Reads `source` to its end. If the source fails, the log ends with the chunks that it has. */
  constructor(source: ReadableStream<Chunk>, onEnd: () => void) {
    void this.#fill(source).finally(onEnd);
  }

  /** A stream of the whole reply, from its first chunk. */
  read(): ReadableStream<Chunk> {
    let next = 0;
    return new ReadableStream<Chunk>({
      pull: async (controller) => {
        while (next >= this.#chunks.length && !this.#ended) {
          await new Promise<void>((resolve) => this.#wake.push(resolve));
        }
        const chunk = this.#chunks[next++];
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
  }

  async #fill(source: ReadableStream<Chunk>): Promise<void> {
    const reader = source.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        this.#chunks.push(value);
        this.#notify();
      }
    } catch {
      // The chunks themselves tell the client how a reply failed, so the error needs no other report.
    } finally {
      this.#ended = true;
      this.#notify();
    }
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}
