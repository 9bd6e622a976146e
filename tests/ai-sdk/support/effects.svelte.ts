/** Runs `effect` as a Svelte effect. Returns a function that ends it. */
export function watch(effect: () => void): () => void {
  return $effect.root(() => {
    $effect(() => effect());
  });
}

/** Creates a derived value in a Svelte effect that reads it. Returns a function that ends it. */
export function derive(make: () => unknown): () => void {
  return $effect.root(() => {
    const value = $derived(make());
    $effect(() => void value);
  });
}
