/** A value in `$state.raw`, and effects, for tests that are no components. */

/** A box whose value effects can watch. */
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
