/**
 * Finds the functions of a Rust file without a parser. It supports the layout that rustfmt produces for this crate.
 */

const NOT_CODE = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\[^]|[^"\\])*"|'(?:\\[^']*|[^\\'\n])'/g;

/**
 * The text with comments, strings and character literals replaced by spaces, so that brackets in them don't count. The
 * length and the line breaks stay the same.
 */
export function withoutText(source) {
  return source.replace(NOT_CODE, (text) => text.replace(/[^\n]/g, ' '));
}

/** The text without comments. Strings stay as they are. */
export const withoutComments = (source) => source.replace(NOT_CODE, (text) => (/^\/[/*]/.test(text) ? '' : text));

/**
 * All functions with a body, in the order in which they begin. Positions count from the start of the text.
 *
 * @param {string} source
 * @returns {{ name: string, start: number, isConst: boolean, signature: string, body: number, end: number }[]}
 *   `start`: the position of `const` or `fn`; `body`: the position of its `{`; `end`: the position after its `}`
 */
export function functionsOf(source) {
  const code = withoutText(source);
  return [...code.matchAll(/\b(const\s+)?fn\s+(\w+)/g)].flatMap((found) => {
    const body = beginOfBody(code, found.index + found[0].length);
    if (body === undefined) return [];
    const [, isConst, name] = found;
    const signature = code.slice(found.index, body);
    return [{ name, start: found.index, isConst: isConst !== undefined, signature, body, end: endOfBlock(code, body) }];
  });
}

/** The functions that are not inside another one of these. */
export const outermost = (functions) =>
  functions.filter((one) => !functions.some((other) => other.body < one.start && one.end < other.end));

/** All statics: `static NAME: type = value;`. */
export function staticsOf(source) {
  const code = withoutText(source);
  return [...code.matchAll(/\bstatic\s+(\w+)\s*:\s*/g)].map((found) => {
    const type = found.index + found[0].length;
    const value = code.indexOf(' = ', type);
    const end = endOfStatement(code, value);
    return {
      name: found[1],
      start: found.index,
      type: source.slice(type, value),
      value: source.slice(value + 3, end),
      end,
    };
  });
}

/** The `{` after a signature. A function of a trait may have none. */
function beginOfBody(code, from) {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === '(' || code[at] === '[') depth += 1;
    if (code[at] === ')' || code[at] === ']') depth -= 1;
    if (depth === 0 && code[at] === ';') return undefined;
    if (depth === 0 && code[at] === '{') return at;
  }
  return undefined;
}

/** The position after the `}` that closes this `{`. */
function endOfBlock(code, from) {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === '{') depth += 1;
    if (code[at] === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return code.length;
}

/** The position of the `;` that ends the statement. */
function endOfStatement(code, from) {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    if ('([{'.includes(code[at])) depth += 1;
    if (')]}'.includes(code[at])) depth -= 1;
    if (depth === 0 && code[at] === ';') return at;
  }
  return code.length;
}
