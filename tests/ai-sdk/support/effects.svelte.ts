/** Runs `effect` as a Svelte effect; returns the function that ends it. */
export function watch(effect: () => void): () => void {
  return $effect.root(() => {
    $effect(() => effect());
  });
}
