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

/** A type without its index signatures: the fields that the vendor names. */
type Named<T> = { [NAME in keyof T as string extends NAME ? never : NAME]: T[NAME] };

/** The names of the fields that any member of a union has. */
type NamesIn<UNION> = UNION extends unknown ? keyof Named<UNION> : never;

/** The types of a field in the members of a union that name it. */
type FieldIn<UNION, NAME> = UNION extends unknown ? (NAME extends keyof Named<UNION> ? UNION[NAME] : never) : never;

/**
 * The members of a union as one type with the named fields of all of them, as `Wire`: for a reader that takes fields
 * before it knows which event it has. A reader compares `type` with names only, which a missing one never equals.
 */
export type Merged<UNION> = {
  readonly [NAME in Exclude<NamesIn<UNION>, 'type'>]?: Wire<FieldIn<UNION, NAME>> | undefined;
} & { readonly type: string };

/** As `Merged`, in all depths: for readers that know from the type of an event what a field has. */
export type AnyOf<UNION> = unknown extends UNION
  ? unknown
  : | Exclude<UNION, object>
    | ListOf<Extract<UNION, readonly unknown[]>>
    | ObjectOf<Exclude<UNION & object, readonly unknown[]>>;
type ListOf<LISTS extends readonly unknown[]> = [LISTS] extends [never] ? never : readonly AnyOf<LISTS[number]>[];
type ObjectOf<UNION> = [NamesIn<UNION>] extends [never]
  ? UNION
  : { readonly [NAME in NamesIn<UNION>]?: AnyOf<FieldIn<UNION, NAME>> | undefined };

/** A value whose reader needs the fields `NAMES`: without them it throws, which its caller reports, or does nothing. */
export type With<T, NAMES extends keyof T> = T & { readonly [NAME in NAMES]-?: NonNullable<T[NAME]> };
