export default {
  compatibilityDate: '2026-01-01',
  telemetry: false,
  app: { head: { title: 'Nuxt', link: [{ rel: 'icon', href: 'data:,' }] } },
  // Only for the route that runs the core on the server: Nuxt copies only files that are imported.
  nitro: { externals: { traceInclude: ['node_modules/toolgate/dist/toolgate.wasm'] } },
};
