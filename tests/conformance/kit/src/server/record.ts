/** What the kit's server records: requests, tool runs and prompts. Results are judged by this record. */

/** A request as it arrived, also one that the network then lost. */
export interface RequestRecord {
  /** Its number, from 1. */
  readonly number: number;
  /** The body, byte for byte. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether another request was open when it arrived. */
  readonly overlaps: boolean;
  /** Whether the server received it. */
  readonly arrived: boolean;
  /** What the model read; `undefined` if it was not asked. */
  readonly prompt?: readonly string[];
  /** Why a server or a model's provider refuses the request. */
  readonly faults: readonly string[];
}

/** The record of a scenario. */
export interface ServerRecord {
  readonly requests: RequestRecord[];
  /** Ids of calls, once for each run. */
  readonly ran: string[];
}

/** The number of requests after which the server refuses further ones, so that no client loops for ever. */
export const MOST_REQUESTS = 12;
