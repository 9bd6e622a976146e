/**
 * What a server with a record must do with a posted body, written from docs/security.md: which calls run, and which
 * bodies are refused as a whole. It knows no messages, only what a client claims about each call.
 */

/** What a client claims about one call. */
export interface Claim {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly n: number;
  /** A text is not a decision. Undefined: the call is open. */
  readonly approved: boolean | 'true' | undefined;
  /** Whether the body has a result of the call. */
  readonly isDone: boolean;
}

/** A body that is posted: the steps of the last reply, and whether a message of the user follows each of them. */
export interface Posted {
  readonly user: string;
  readonly steps: readonly { readonly claims: readonly Claim[]; readonly isFollowed: boolean }[];
}

/** A request that the server has recorded for a user. */
export type Requested = Omit<Claim, 'approved' | 'isDone'>;

/** The answer to a body. `runs`: the calls that run, in the order of their names: they run at the same time. */
export type Answer = 'refused' | { readonly runs: readonly string[] };

/** The record of all users, and the rules. */
export class Reference {
  readonly #requests = new Map<string, Requested>();
  /** Calls that have begun, were denied or are superseded: they never run (again). */
  readonly #over = new Set<string>();
  /** Calls in older malformed steps, for which that is not certain. */
  readonly #unsure = new Set<string>();

  /** The server asks a user for an approval. */
  request(user: string, call: Requested): void {
    this.#requests.set(this.#key(user, call), call);
  }

  /**
   * The answer to a body. `given`: the server's. It counts where the documentation leaves a choice: a malformed step in
   * which no decision waits may be refused, or left as it is; and older malformed messages are left alone, so a call in
   * them may be superseded, or run once later.
   */
  post({ user, steps }: Posted, given: Answer): Answer {
    const last = steps.at(-1)!;
    const claims = last.isFollowed ? [] : last.claims;
    const isWaiting = claims.some(({ approved, isDone }) => approved !== undefined && !isDone);
    // All of the last step is checked before its first call runs.
    if (this.#isMalformed(claims) && (isWaiting || given === 'refused')) return 'refused';
    if (claims.some((claim) => this.#isForged(user, claim))) return 'refused';
    // Approvals of earlier steps, and those before a message of the user, are superseded.
    for (const step of steps.filter((one) => one !== last || last.isFollowed)) {
      if (!this.#isMalformed(step.claims)) this.#close(user, step.claims);
      else for (const claim of step.claims) this.#unsure.add(this.#key(user, claim));
    }
    const ran = given === 'refused' ? [] : given.runs;
    const runs = claims.filter((claim) => {
      const key = this.#key(user, claim);
      const mayRun = claim.approved === true && !claim.isDone && !this.#over.has(key);
      return mayRun && (!this.#unsure.has(key) || ran.includes(claim.toolCallId));
    });
    // The first decision counts.
    this.#close(user, claims);
    return { runs: runs.map(({ toolCallId }) => toolCallId).sort() };
  }

  /** Whether the step contradicts itself, or has a decision that is not a boolean. */
  #isMalformed(claims: readonly Claim[]): boolean {
    const isRepeated = (id: 'toolCallId' | 'approvalId'): boolean =>
      new Set(claims.map((claim) => claim[id])).size < claims.length;
    return claims.some(({ approved }) => approved === 'true') || isRepeated('toolCallId') || isRepeated('approvalId');
  }

  /** Whether the claim is about a call that the user was not asked about. A denial of an unknown call runs nothing. */
  #isForged(user: string, claim: Claim): boolean {
    if (claim.approved === undefined || claim.isDone || this.#isAsked(user, claim)) return false;
    return claim.approved === true || this.#requests.has(this.#key(user, claim));
  }

  /** Whether the user was asked about exactly this call. */
  #isAsked(user: string, claim: Claim): boolean {
    const asked = this.#requests.get(this.#key(user, claim));
    return asked?.toolCallId === claim.toolCallId && asked.tool === claim.tool && asked.n === claim.n;
  }

  #key(user: string, { approvalId }: Requested): string {
    return JSON.stringify([user, approvalId]);
  }

  /** These calls never run from now on. A claim about another call than the user was asked about changes nothing. */
  #close(user: string, claims: readonly Claim[]): void {
    for (const claim of claims)
      if (typeof claim.approved === 'boolean' && !claim.isDone && this.#isAsked(user, claim))
        this.#over.add(this.#key(user, claim));
  }
}
