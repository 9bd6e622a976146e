/**
 * The same generated streams and histories in every run, so that a red test is about the change. `FC_SEED=random` looks
 * further, `FC_SEED=<number>` runs a certain seed.
 */
import fc from 'fast-check';

const asked = process.env['FC_SEED'];
if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked ?? 20_261_121) });
