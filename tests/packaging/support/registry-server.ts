/** A server for `shadcn add` and its relatives: the registry, what the tools ask shadcn's own registries, and npm. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inject } from 'vitest';
import { registryFiles } from '../../../pkg-scripts/lib/registry.mjs';
import { at } from '../../../pkg-scripts/lib/shell.mjs';

const files = registryFiles();

/** The app's own components that the items name. The apps have them already: the tools skip them or ask. */
const OWN = { name: 'button', type: 'registry:ui', title: 'Button', dependencies: [], registryDependencies: [] };

/** The colours of an app whose style sheet has its own. */
const NONE = { light: {}, dark: {} };
const NO_COLORS = { inlineColors: NONE, cssVars: NONE, inlineColorsTemplate: '', cssVarsTemplate: '' };

/** Starts the server for the app in `folder`. */
export async function startRegistry(folder: string): Promise<{ url: string; close(): void }> {
  const tarball = readFileSync(inject('tarball'));
  const { version } = JSON.parse(readFileSync(at('pkg/package.json'), 'utf8')) as { version: string };
  const own = (name: string, path: string): object => ({
    ...OWN,
    name,
    files: [{ path: `ui/${name}.tsx`, type: 'registry:ui', content: readFileSync(join(folder, path), 'utf8') }],
  });
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const [, name = ''] = /([^/]+?)(?:\.json)?$/.exec(path) ?? [];
    const text = path.startsWith('/r/') ? files.get(path.slice('/r/'.length)) : undefined;
    const json = (value: unknown): unknown => response.end(JSON.stringify(value));
    response.setHeader('content-type', 'application/json');
    if (text !== undefined) response.end(text);
    else if (path.endsWith('.tgz')) response.end(tarball);
    else if (path === '/npm/toolgate')
      json({
        name: 'toolgate',
        'dist-tags': { latest: version },
        versions: {
          [version]: {
            ...(JSON.parse(readFileSync(at('pkg/package.json'), 'utf8')) as object),
            dist: {
              tarball: `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm/toolgate.tgz`,
              shasum: createHash('sha1').update(tarball).digest('hex'),
            },
          },
        },
      });
    else if (path.includes('/colors/')) json(NO_COLORS);
    else if (path.includes('/icons/')) json({});
    else if (path.endsWith('/index.json')) json([{ ...OWN, relativeUrl: 'button.json' }]);
    else if (existsSync(join(folder, `src/components/ui/${name}.tsx`)))
      json(own(name, `src/components/ui/${name}.tsx`));
    else if (name === 'button') json({ ...OWN, files: [] });
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close() };
}
