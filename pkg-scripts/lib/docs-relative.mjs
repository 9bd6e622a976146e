/**
 * Makes the built documentation independent of its address. VitePress writes its base into every link and script;
 * here links become relative, and the scripts take the base from their own address. The folder then works at any path
 * of any server, as the demo's pages do.
 */
import { BASE } from './docs-anchors.mjs';
import { filesOf, layOver } from './files.mjs';
import { Failure } from './shell.mjs';

/**
 * Changes the files of the built site in `folder`. Throws a `Failure` if VitePress wrote its base somewhere else too.
 */
export function makeRelative(folder) {
  const files = filesOf(folder);
  const left = [];
  for (const [path, contents] of files) {
    const change = path.endsWith('.html') ? page : path.endsWith('.js') ? script : undefined;
    if (!change) continue;
    const text = change(contents.toString('utf8'), '../'.repeat(path.split('/').length - 1) || './', path);
    const found = /["'`(=]\/docs\/.{0,40}/.exec(text);
    if (found) left.push(`${path}: ${found[0]}`);
    files.set(path, text);
  }
  if (left.length) throw new Failure(`the documentation has links that depend on its address:\n  ${left.join('\n  ')}`);
  layOver(folder, files);
}

/** `up` is the way from the file to the folder of the documentation. */
function page(text, up, path) {
  const relative = text
    .replaceAll(new RegExp(`( (?:href|src|srcset)=")${BASE}`, 'g'), `$1${up}`)
    .replaceAll(String.raw`\"base\":\"${BASE}\"`, String.raw`\"base\":\"${up}\"`);
  const end = relative.lastIndexOf('</body>');
  const data = 'window.__VP_SITE_DATA__';
  if (end < 0 || !relative.includes(data)) throw new Failure(`VitePress wrote no body or no data into ${path}.`);
  // The page's router changes the address without loading a page, so links must not depend on the address by then.
  const absolute =
    `<script>${data}.base=new URL(${data}.base,location.href).pathname;` +
    `for(const name of ['href','src','srcset'])for(const element of document.querySelectorAll(':is(body *,[rel=icon])['+name+'^="."]'))` +
    `element.setAttribute(name,new URL(element.getAttribute(name),location.href).href)</script>`;
  return relative.slice(0, end) + absolute + relative.slice(end);
}

function script(text, up) {
  const base = `new URL("${up}",import.meta.url).pathname`;
  // The index of the search is JSON in a string, whose ids are addresses.
  if (/^const \w+='\{"documentCount"/.test(text))
    return text.replaceAll(`"${BASE}`, '"@base/').replace(/';(?=export\{)/, `'.replaceAll('"@base/','"'+${base});`);
  return text.replaceAll(`"${BASE}"`, `(${base})`).replaceAll(`"${BASE}`, `(${base})+"`);
}
