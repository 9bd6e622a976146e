/** A value in `$state.raw`, for tests outside of components. */

/** A box with a value that effects can track. */
export function box<T>(value: T): { value: T } {
  let held = $state.raw(value);
  return {
    get value() {
      return held;
    },
    set value(next: T) {
      held = next;
    },
  };
}
