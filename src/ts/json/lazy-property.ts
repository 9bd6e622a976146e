/**
 * Properties whose value is computed when they are first read.
 *
 * JavaScript engines create a new hidden class for each object literal with a getter. This costs more than the rest of
 * the object. All objects here share the getter of a property; what it computes is in a hidden property.
 */

/**
 * The key is not a symbol, because the functions that encode plain data refuse symbols. A private field could not be
 * read through a proxy.
 */
const COMPUTE = 'toolgate:compute';

interface Lazy {
  readonly [COMPUTE]: () => unknown;
}

const getters = new Map<string, PropertyDescriptor>();

function getterOf(name: string): PropertyDescriptor {
  let descriptor = getters.get(name);
  if (!descriptor) {
    function get(this: Lazy): unknown {
      return this[COMPUTE]();
    }
    getters.set(name, (descriptor = { get, enumerable: true }));
  }
  return descriptor;
}

/**
 * Adds an own, enumerable property whose value is what `compute` returns, which must return the same value each time.
 * An object can have one such property.
 */
export function lazyProperty<T extends object, N extends string, V>(
  object: T,
  name: N,
  compute: () => V,
): T & { readonly [K in N]: V } {
  Object.defineProperty(object, COMPUTE, { value: compute });
  return Object.defineProperty(object, name, getterOf(name)) as T & { readonly [K in N]: V };
}
