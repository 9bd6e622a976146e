/**
 * The seed of `./pkg-scripts/mutate chosen`, and those of its mutations that no test can notice, because the code with
 * the mutation behaves like the code without it.
 */
export const SEED = 28;

/** `says`: as the command prints it. */
export const withoutEffect = [];
