/** The tables of docs/benchmarks.md. */
import { figure } from './measure.mjs';

/** A figure with its quartiles: `12 (11–13)`. */
const shown = (spread, unit) => {
  if (!spread) return '–';
  const [median, low, high] = [spread.median, spread.low, spread.high].map(figure);
  return low === median && high === median ? `${median} ${unit}` : `${median} ${unit} (${low}–${high})`;
};

const times = (value) => (Number.isFinite(value) ? `${figure(value)}×` : '–');

/** How many times longer the AI SDK takes. */
const ratio = (other, own) => (other ? times(other.median / own.median) : '–');

export const HEADER = (version) => [
  `| what | size | \`ai\` ${version} | plain JavaScript | Toolgate | AI SDK ÷ Toolgate | Toolgate ÷ plain |`,
  '|---|---:|---:|---:|---:|---:|---:|',
];

/** The row of one measured point: `{ ours, peer?, plain? }`, each with its median and quartiles. */
export const row = (what, label, unit, { ours, peer, plain }) =>
  `| ${[
    what,
    label,
    shown(peer, unit),
    shown(plain, unit),
    shown(ours, unit),
    ratio(peer, ours),
    plain ? times(ours.median / plain.median) : '–',
  ].join(' | ')} |`;

/** The rows of a subject; only the first one names it. */
export const rows = ({ name, unit, points }) =>
  points.map(({ label, measured }, index) => row(index === 0 ? name : '', label, unit, measured));
