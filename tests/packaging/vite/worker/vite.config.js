// Vite's default for workers is a format that has no chunks.
export default { worker: { format: 'es' } };
