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

/** An object with a method for each property. */
type Computed<N extends string> = { readonly [K in N]: () => unknown };

const getters = new Map<string, PropertyDescriptor>();

function getterOf(name: string): PropertyDescriptor {
  let descriptor = getters.get(name);
  if (!descriptor) {
    function get(this: { readonly [COMPUTE]: Computed<string> | ((name: string) => unknown) }): unknown {
      const compute = this[COMPUTE];
      return typeof compute === 'function' ? compute(name) : compute[name]?.();
    }
    getters.set(name, (descriptor = { get, enumerable: true }));
  }
  return descriptor;
}

/**
 * Adds own, enumerable properties with these names. The value of each is what the method of `compute` with its name
 * returns, which must return the same value each time. Call it once for an object.
 */
export function lazyProperties<T extends object, N extends string, C extends Computed<N>>(
  object: T,
  compute: C,
  names: readonly N[],
): T & { readonly [K in N]: ReturnType<C[K]> } {
  Object.defineProperty(object, COMPUTE, { value: compute });
  for (const name of names) Object.defineProperty(object, name, getterOf(name));
  return object as T & { readonly [K in N]: ReturnType<C[K]> };
}

/** Adds such properties, whose values are what `compute` returns for their names. Call it once for an object. */
export function lazyProperty<T extends object, N extends string, V>(
  object: T,
  compute: (name: N) => V,
  ...names: N[]
): T & { readonly [K in N]: V } {
  return lazyProperties(object, compute as unknown as Computed<N>, names) as T & { readonly [K in N]: V };
}
