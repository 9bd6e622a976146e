/**
 * Fixes the seed, so that every run generates the same streams and histories and a failure is caused by a change.
 * `FC_SEED=random` uses a random seed, `FC_SEED=<number>` uses that number.
 */
import fc from 'fast-check';

const asked = process.env['FC_SEED'];
if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked ?? 20_261_121) });
