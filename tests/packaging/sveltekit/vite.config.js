import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';

export default {
  plugins: [sveltekit({ adapter: adapter() })],
  // Only for the route that runs the core on the server: a bundle has no WebAssembly beside it.
  ssr: { external: ['toolgate'] },
};
