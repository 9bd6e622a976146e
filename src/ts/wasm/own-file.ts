/**
 * The package's own `toolgate.wasm`, which is next to this file in the package. Bundlers recognise the `new URL`
 * expression below, copy the file, and insert its new URL.
 */

/** The source of the package's own file. Throws where the location of the package is unknown. */
export function ownFile(): URL | Promise<Response> {
  const url = new URL('./toolgate.wasm', import.meta.url);
  return url.pathname.includes('/.vite/deps/') ? fromOptimizer(url) : url;
}

/**
 * Before version 8, Vite's development server moves packages into its own folder, without the files that they refer to
 * by URL, and answers requests for those with the app's page. The file itself is in the package, which npm installed
 * next to that folder.
 */
async function fromOptimizer(url: URL): Promise<Response> {
  const isPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') === true;
  const response = await fetch(url);
  if (!isPage(response)) return response;
  const other = await fetch(new URL('../../toolgate/dist/toolgate.wasm', url));
  return isPage(other) ? response : other;
}
