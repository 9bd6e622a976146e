/** Runs `effect` as a Svelte effect; returns the function that ends it. */
export function watch(effect: () => void): () => void {
  return $effect.root(() => {
    $effect(() => effect());
  });
}

/** Makes a derived value in a Svelte effect that reads it; returns the function that ends it. */
export function derive(make: () => unknown): () => void {
  return $effect.root(() => {
    const value = $derived(make());
    $effect(() => void value);
  });
}
