/** Writes the style sheets of the elements and of the inspector in their shortest form. */
import { readFileSync } from 'node:fs';

const STYLES = /src.ts.(element.(card|question|review)|inspector.panel)-styles\.ts$/;

/** The text of a template, and the code between `${` and `}`, in turns. */
const PIECES = /(\$\{(?:[^{}]|\{[^{}]*\})*\})/;

const compact = (css) =>
  css
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/ ?([{};>]) ?/g, '$1')
    .replace(/([:,]) /g, '$1')
    .replace(/(?<=@media) (?=\()| (?=!)/g, '')
    .replace(/::(?=before|after)/g, ':')
    .replace(/(?<=\[[\w-]+=)'([\w-]+)'/g, '$1')
    .replace(/(?<=[^\w.])0(?=\.\d)/g, '')
    .replace(/;}/g, '}');

/** esbuild's plugin. Only templates are style sheets. */
export const compactStyles = {
  name: 'compact-styles',
  setup({ onLoad }) {
    onLoad({ filter: STYLES }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/`[^`]*`/g, (template) =>
        template
          .split(PIECES)
          .map((piece, i) => (i % 2 ? piece : compact(piece)))
          .join(''),
      ),
      loader: 'ts',
    }));
  },
};
