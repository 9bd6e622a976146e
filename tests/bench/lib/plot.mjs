/**
 * The plot of docs/benchmarks.md: one panel for each subject. It shows the time of one operation for each size (such as
 * the number of messages); both axes are logarithmic. A flat line means that the cost does not grow.
 */
import { figure } from './measure.mjs';

const [WIDTH, HEIGHT, COLUMNS] = [270, 200, 3];
const BOX = { left: 58, top: 44, right: 12, bottom: 38 };

const THEMES = {
  light: { text: '#1f2328', faint: '#59636e', line: '#d1d9e0', ours: '#0969da', peer: '#bc4c00', plain: '#59636e' },
  dark: { text: '#f0f6fc', faint: '#9198a1', line: '#3d444d', ours: '#4493f8', peer: '#f0883e', plain: '#9198a1' },
};
const SIDES = { peer: 'the AI SDK', ours: 'Toolgate', plain: 'plain JavaScript' };

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const power = (value) => Math.log10(value);
const round = (value) => Number(value.toFixed(1));

/** A title in at most two lines. */
function lines(text, length) {
  const result = ['', ''];
  for (const word of text.replaceAll('`', '').split(' ')) {
    const line = result[0].length + word.length < length && result[1] === '' ? 0 : 1;
    result[line] += (result[line] ? ' ' : '') + word;
  }
  return result;
}

function panel({ name, unit, points }, colors) {
  const sizes = points.map(({ size }) => size);
  const values = points.flatMap(({ measured }) => Object.values(measured).map(({ median }) => median));
  const [lowest, highest] = [Math.floor(power(Math.min(...values))), Math.ceil(power(Math.max(...values)))];
  const [inner, tall] = [WIDTH - BOX.left - BOX.right, HEIGHT - BOX.top - BOX.bottom];
  const span = power(sizes.at(-1) / sizes[0]) || 1;
  const x = (size) => round(BOX.left + (power(size / sizes[0]) / span) * inner);
  const y = (value) => round(BOX.top + tall - ((power(value) - lowest) / (highest - lowest || 1)) * tall);
  const text = (at, content, attributes = '') =>
    `<text x="${at[0]}" y="${at[1]}" ${attributes}>${escaped(content)}</text>`;

  const parts = lines(name, 42).map((line, index) => text([0, 12 + 14 * index], line, `fill="${colors.text}"`));
  for (let tick = lowest; tick <= highest; tick++) {
    const at = y(10 ** tick);
    parts.push(`<line x1="${BOX.left}" x2="${WIDTH - BOX.right}" y1="${at}" y2="${at}" stroke="${colors.line}"/>`);
    const label = tick < 0 ? String(Number((10 ** tick).toPrecision(1))) : figure(10 ** tick);
    parts.push(
      text([BOX.left - 6, at + 4], `${label} ${unit}`, `fill="${colors.faint}" text-anchor="end" font-size="10"`),
    );
  }
  for (const { size } of points) {
    const anchor = size === sizes[0] ? 'start' : size === sizes.at(-1) ? 'end' : 'middle';
    const attributes = `fill="${colors.faint}" text-anchor="${anchor}" font-size="10"`;
    parts.push(text([x(size), HEIGHT - 24], size.toLocaleString('en'), attributes));
  }
  const [, what] = points[0].label.split(' ');
  parts.push(text([WIDTH - BOX.right, HEIGHT - 11], what, `fill="${colors.faint}" text-anchor="end" font-size="10"`));
  for (const side of Object.keys(SIDES)) {
    const drawn = points.filter(({ measured }) => measured[side]);
    const places = drawn.map(({ size, measured }) => [x(size), y(measured[side].median)]);
    const dash = side === 'plain' ? ' stroke-dasharray="4 3"' : '';
    parts.push(`<polyline points="${places.join(' ')}" fill="none" stroke="${colors[side]}" stroke-width="2"${dash}/>`);
    for (const [cx, cy] of places) parts.push(`<circle cx="${cx}" cy="${cy}" r="2.5" fill="${colors[side]}"/>`);
  }
  return parts.join('');
}

/** The plot of these subjects as an SVG file. `theme`: `light` or `dark`. */
export function plot(subjects, theme) {
  const colors = THEMES[theme];
  const rows = Math.ceil(subjects.length / COLUMNS);
  const [width, height] = [COLUMNS * (WIDTH + 20), rows * (HEIGHT + 14) + 30];
  const panels = subjects.map(
    (subject, index) =>
      `<g transform="translate(${(index % COLUMNS) * (WIDTH + 20)} ${30 + Math.floor(index / COLUMNS) * (HEIGHT + 14)})">${panel(subject, colors)}</g>`,
  );
  const legend = Object.entries(SIDES).map(
    ([side, name], index) =>
      `<rect x="${index * 150}" y="3" width="14" height="10" fill="${colors[side]}"/>` +
      `<text x="${index * 150 + 20}" y="12" fill="${colors.text}">${name}</text>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">` +
    `${legend.join('')}${panels.join('')}</svg>\n`
  );
}
