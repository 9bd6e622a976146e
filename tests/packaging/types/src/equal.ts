/** Fails to compile unless both types are identical. */
export function same<A, B>(..._same: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? [] : ['not the same type', A, B]): void {}
