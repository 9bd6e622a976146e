/** The minimal configuration: an entry and a mode. */
export default {
  mode: 'production',
  entry: { page: './scenario/page.js', worker: './scenario/page-of-worker.js' },
};
