/** How readers type what arrives: with the types of the vendors' packages, which are erased when Toolgate is built. */

/**
 * A value of a vendor's type as it really arrives: any field can be missing. Values of another kind than the declared
 * one make a reader throw, which its caller reports (`EventReader`).
 */
export type Wire<T> = unknown extends T
  ? unknown
  : T extends readonly (infer ITEM)[]
    ? readonly Wire<ITEM>[]
    : T extends object
      ? { readonly [NAME in keyof T]?: Wire<T[NAME]> | undefined }
      : T;
