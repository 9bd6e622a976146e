/**
 * Converts a Svelte component to a TypeScript module: its script, and a function with every expression of its template,
 * so that `tsc` checks both. The module is only for type checks and cannot run.
 */
import { parse, type AST } from 'svelte/compiler';

const HEAD = `
declare function $$element<K extends keyof import('svelte/elements').SvelteHTMLElements>(tag: K, attributes: import('svelte/elements').SvelteHTMLElements[K]): void;
declare function $$component<P extends Record<string, any>>(component: import('svelte').Component<P>, props: Partial<P>): void;
declare function $$each<T>(list: Iterable<T> | ArrayLike<T> | null | undefined): T[];
`;

type Node = AST.Fragment['nodes'][number];
type Ranged = { start: number; end: number };

/** The module of a component. Throws the parser's error for an invalid component. */
export function svelteModule(code: string): string {
  const root = parse(code, { modern: true });
  const script = [root.module, root.instance].map((part) =>
    part ? code.slice((part.content as unknown as Ranged).start, (part.content as unknown as Ranged).end) : '',
  );
  const text = (node: unknown): string => code.slice((node as Ranged).start, (node as Ranged).end);
  const body = fragment(root.fragment, text);
  return `${script.join('\n')}\n${HEAD}\nexport async function $$template() {\n${body}\n}\nexport default null as unknown as import('svelte').Component<any>;\n`;
}

function fragment(part: AST.Fragment | null | undefined, text: (node: unknown) => string): string {
  return (part?.nodes ?? []).map((node) => `${mark(node, text)}${statement(node, text)}`).join('\n');
}

/** A comment line with the row of the following code, counted from 0. {@link rowOf} reads it. */
function mark({ start }: Ranged, text: (node: unknown) => string): string {
  return `//@${text({ start: 0, end: start }).split('\n').length - 1}\n`;
}

/** The line of the component for a line of its module. */
export function rowOf(code: string, line: number): number | undefined {
  const mark = code
    .split('\n')
    .slice(0, line)
    .findLast((text) => text.startsWith('//@'));
  return mark === undefined ? undefined : Number(mark.slice(3));
}

function statement(node: Node, text: (node: unknown) => string): string {
  const inside = (part: AST.Fragment | null | undefined): string => `{\n${fragment(part, text)}\n}`;
  switch (node.type) {
    case 'Text':
    case 'Comment':
      return '';
    case 'ExpressionTag':
    case 'HtmlTag':
    case 'RenderTag':
      return `(${text(node.expression)});`;
    case 'ConstTag':
      return `${text(node.declaration)};`;
    case 'IfBlock':
      return `if (${text(node.test)}) ${inside(node.consequent)}${node.alternate ? ` else ${inside(node.alternate)}` : ''}`;
    case 'EachBlock': {
      const index = node.index ? `const ${node.index} = 0 as number;\n` : '';
      const key = node.key ? `(${text(node.key)});\n` : '';
      const rest = `${index}${key}${fragment(node.body, text)}`;
      return `for (const ${node.context ? text(node.context) : '$$item'} of $$each(${text(node.expression)})) {\n${rest}\n}\n${inside(node.fallback)}`;
    }
    case 'AwaitBlock': {
      const value = node.value ? `const ${text(node.value)} = ` : '';
      const error = node.error ? `const ${text(node.error)} = new Error();\n` : '';
      const then = `${value}await (${text(node.expression)});\n${fragment(node.then, text)}`;
      return `${inside(node.pending)}\n{\n${then}\n}\n{\n${error}${fragment(node.catch, text)}\n}`;
    }
    case 'KeyBlock':
      return `(${text(node.expression)});\n${inside(node.fragment)}`;
    case 'SnippetBlock':
      return `function ${text(node.expression)}(${node.parameters.map(text).join(', ')}) ${inside(node.body)}`;
    case 'RegularElement':
      return `$$element('${node.name}', {\n${attributes(node, text)}});\n${inside(node.fragment)}`;
    case 'Component':
      return `$$component(${node.name}, {\n${attributes(node, text)}});\n${inside(node.fragment)}`;
    default:
      return 'fragment' in node ? inside(node.fragment as AST.Fragment) : '';
  }
}

/** The attributes as the properties of an object, one on a line. */
function attributes(node: AST.RegularElement | AST.Component, text: (node: unknown) => string): string {
  const lines = node.attributes.map((attribute) => {
    switch (attribute.type) {
      case 'Attribute':
        return `'${attribute.name}': ${valueOf(attribute.value, text)},`;
      case 'SpreadAttribute':
        return `...(${text(attribute.expression)}),`;
      case 'BindDirective':
        return attribute.name === 'this' ? '' : `'${attribute.name}': (${text(attribute.expression)}),`;
      default:
        // A class, style, transition or action is not an attribute. Only its value is checked.
        return 'expression' in attribute && attribute.expression ? `...((${text(attribute.expression)}), {}),` : '';
    }
  });
  return lines.map((line, i) => `${mark(node.attributes[i] as Ranged, text)}${line}\n`).join('');
}

function valueOf(value: AST.Attribute['value'], text: (node: unknown) => string): string {
  if (value === true) return 'true';
  const parts = Array.isArray(value) ? value : [value];
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'ExpressionTag') return `(${text(first.expression)})`;
  if (parts.length === 1 && first?.type === 'Text') return JSON.stringify(first.data);
  return (
    parts
      .map((part) => (part.type === 'Text' ? JSON.stringify(part.data) : `String(${text(part.expression)})`))
      .join(' + ') || "''"
  );
}
