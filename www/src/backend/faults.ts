/**
 * What can go wrong between a page and its backend, for the scenarios that need it.
 * A fault is injected in front of the handler's work, so everything behind it is what a healthy backend does.
 */

/**
 * - `unreachable`: the request never arrives; the client's fetch rejects.
 * - `nothing`: the request arrives and gets a well-formed reply without any content; nothing runs.
 * - `lost-reply`: the request arrives and is carried out, but the client's fetch rejects.
 */
export type Fault = 'unreachable' | 'nothing' | 'lost-reply';

/** Which fault happens to which request. */
export interface FaultPlan {
  fault: Fault;
  /** `decisions`: requests that carry approval responses. `any`: every request. */
  on: 'decisions' | 'any';
  /** How many of those requests it happens to, from the first. */
  times: number;
}

/** Returns a function that tells the fault for each request, in the order of their arrival. */
export function faultSequence(plan: FaultPlan | undefined): (request: { decisions: number }) => Fault | undefined {
  let left = plan?.times ?? 0;
  return ({ decisions }) => {
    if (!plan || left === 0 || (plan.on === 'decisions' && decisions === 0)) return undefined;
    left -= 1;
    return plan.fault;
  };
}

/** What a browser's fetch rejects with when the network fails. */
export function networkError(): TypeError {
  return new TypeError('Failed to fetch');
}
