/**
 * How the pages' markdown differs from VitePress's: each table is in a box of its own and has no empty head, and state
 * diagrams become tables.
 */

/** Applies these changes to `md`, the markdown-it of VitePress. */
export function tables(md) {
  // GitHub requires a head for every table, even if its columns need no names.
  md.core.ruler.push('empty-heads', ({ tokens }) => {
    for (let start = 0; start < tokens.length; start += 1) {
      if (tokens[start].type !== 'thead_open') continue;
      const end = tokens.findIndex(({ type }, index) => index > start && type === 'thead_close');
      const cells = tokens.slice(start, end).filter(({ type }) => type === 'inline');
      if (cells.every(({ content }) => content === '')) tokens.splice(start, end - start + 1);
      else
        for (const [index, token] of tokens.slice(start, end).entries()) {
          // An empty cell names no column, so it must not be a heading.
          if (token.type === 'th_open' && tokens[start + index + 1].content === '')
            [token.tag, tokens[start + index + 2].tag] = ['td', 'td'];
        }
    }
  });
  // The box scrolls, so that a wide table does not widen the page; theme/index.mjs makes it focusable when it does.
  md.renderer.rules.table_open = () => '<div class="table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index].info.trim() === 'mermaid'
      ? md.render(transitions(tokens[index].content))
      : fence(tokens, index, ...rest).replaceAll(/(<pre[^>]*) tabindex="0"/g, '$1');
}

/**
 * A Mermaid state diagram as a table of its edges, without those from the start and to the end: GitHub draws it,
 * VitePress does not.
 */
function transitions(diagram) {
  const names = new Map([...diagram.matchAll(/^ *state "(.+)" as (\w+)$/gm)].map(([, name, id]) => [id, name]));
  const edges = [...diagram.matchAll(/^ *(\w+) --> (\w+): (.+)$/gm)];
  const rows = edges.map(
    ([, from, to, by]) => `| \`${names.get(from) ?? from}\` | ${by} | \`${names.get(to) ?? to}\` |`,
  );
  return ['| from | by | to |', '|---|---|---|', ...rows].join('\n');
}
