/**
 * The style sheets of the elements. Colours follow the page's `color-scheme` or the attribute `theme`. Apps set
 * colours, fonts and radii by custom properties, and style single parts by `::part()`.
 */

/**
 * The public custom properties, without their prefix `--tool-approval-`, and their defaults: two colours, light and
 * dark.
 */
const VARIABLES: Readonly<Record<string, string>> = {
  surface: '#fff #1b1c1a',
  sunken: '#f9f8f5 #161715',
  text: '#1d1c19 #ecebe5',
  muted: '#55524a #b9b7ad',
  line: '#e4e1d9 #2d2f2b',
  'line-strong': '#8b877b #77796f',
  accent: '#0f5f55 #6fcdbc',
  'on-accent': '#fff #06231f',
  focus: '#0b6e9e #7cc7f0',
  wait: '#724700 #f1cb7c',
  'wait-surface': '#fdf1d6 #33290f',
  busy: '#1d4e84 #a1c8f3',
  'busy-surface': '#e6eff8 #15283c',
  yes: '#13592f #8bdba8',
  'yes-surface': '#e4f2e8 #142d1d',
  no: '#8f2618 #f5aa9e',
  'no-surface': '#fae9e5 #381b17',
  quiet: '#55524a #b9b7ad',
  'quiet-surface': '#eeece6 #292b28',
  radius: '12px',
  'control-radius': '8px',
  font: 'inherit',
  'mono-font': 'ui-monospace, Menlo, Consolas, monospace',
};

/** The declarations of all private variables: the public property, or its default. `colour` chooses one of two. */
const variables = (colour: string): string =>
  Object.entries(VARIABLES)
    .map(([name, value]) => `--_${name}: var(--tool-approval-${name}, ${value.replace(LIGHT_DARK, colour)});`)
    .join('');

const LIGHT_DARK = /(#\w+) (#\w+)/;

/** Browsers released before 2024 lack `light-dark()`, and get the light colours. */
const THEMES = `
:host { ${variables('$1')} }
@supports (color: light-dark(red, red)) {
  :host { ${variables('light-dark($1, $2)')} }
}
`;

const tones = ['wait', 'busy', 'yes', 'no', 'quiet']
  .map((tone) => `.${tone} { --_ink: var(--_${tone}); --_tint: var(--_${tone}-surface); }`)
  .join('');

/** Text of another direction begins where the lines of the card begin. Chromium knows the prefixed value only. */
const MATCH_PARENT = 'text-align: -webkit-match-parent; text-align: match-parent;';

/** Rules for both elements. */
const COMMON = `
:host { display: block; overflow-wrap: anywhere; }
${THEMES}
:host([hidden]) { display: none; }
:host([theme='light']) { color-scheme: light; }
:host([theme='dark']) { color-scheme: dark; }
:host([theme='auto']) { color-scheme: light dark; }
*, *::before, *::after { box-sizing: border-box; }
p { margin: 0; }
.list, .all, dl, .field, .changed, .decision, .row, .stack { display: grid; grid-template-columns: minmax(0, 1fr); }
.quoted, .request-reason, .requested-by, .result, .note, .decided-by, .tools, .pager, .countdown, label, legend, .about, .more-text, .problem { color: var(--_muted); font-size: 0.8125rem; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--_focus); outline-offset: 2px; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/** Rules for the buttons of both elements. */
const BUTTONS = `
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
button { min-height: 36px; padding: 4px 14px; border: 1px solid var(--_line-strong); border-radius: var(--_control-radius); background: var(--_surface); color: var(--_text);
  font: inherit; font-size: 0.875rem; font-weight: 500; cursor: pointer; }
button:hover { --_muted: var(--_text); background: var(--_sunken); }
button.main { border-color: var(--_accent); background: var(--_accent); color: var(--_on-accent); }
button.danger { border: 2px solid var(--_no); background: var(--_surface); color: var(--_no); }
[aria-disabled='true'], :disabled { opacity: 0.5; }
/* A pointer does not press it yet: it has just appeared or moved. */
button[data-settling] { border-style: dashed; background: var(--_sunken); color: var(--_muted); }
.problem { flex: 1 1 100%; color: var(--_no); }
:is(p, .danger-mark):empty { display: none; }
@media (prefers-reduced-motion: reduce) {
  *::before { animation: none !important; }
}
@media (pointer: coarse) {
  :is(button, select, .check, input:not([type='radio'], [type='checkbox'])) { min-height: 44px !important; }
}
@media (forced-colors: active) {
  button.main { forced-color-adjust: none; border-color: Highlight; background: Highlight; color: HighlightText; }
}
`;

/** Rules for the paging buttons of both elements. */
const PAGER = `
.pager { display: inline-flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; }
`;

/** The style sheet of `<tool-approvals>`. */
export const LIST_STYLES = `${COMMON}${BUTTONS}
.list { gap: 12px; position: relative; border-radius: var(--_radius); }
.all { gap: 8px; margin-top: 12px; padding: 12px 14px; border: 1px solid var(--_line);
  border-radius: var(--_radius); background: var(--_sunken); color: var(--_text); font-family: var(--_font); font-size: 0.875rem; line-height: 1.5; text-align: start; }
.tools { font-family: var(--_mono-font); unicode-bidi: plaintext; ${MATCH_PARENT} }
.question { font-weight: 600; }
`;

/** The style sheet of `<tool-approval>`. */
export const CARD_STYLES = `${COMMON}${BUTTONS}${PAGER}
${tones}
.card { position: relative; overflow: hidden; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface);
  color: var(--_text); font-family: var(--_font); font-size: 0.9375rem; line-height: 1.5; text-align: start; }
.card.wait { border-color: var(--_line-strong); }
.card.dangerous { border: 2px solid var(--_no); }
.danger-mark { color: var(--_no); font-size: 0.8125rem; font-weight: 600; }
.danger-mark::before { content: '⚠ '; }
header { display: flex; flex-wrap: wrap; align-items: start; gap: 5px 9px; padding-block: 9px; padding-inline: 14px 10px; }
.title { flex: 1 1 130px; min-width: 0; padding-block: 3px; font-weight: 600; line-height: 1.3; }
.tool { font-family: var(--_mono-font); unicode-bidi: isolate; white-space: normal; }
.quoted { font-weight: 400; }
.status { display: inline-flex; align-items: center; gap: 6px; padding: 2px 9px; border: 1px solid currentColor; border-radius: 999px;
  background: var(--_tint); color: var(--_ink); font-size: 0.75rem; font-weight: 500; }
.busy .status::before { content: ''; width: 9px; height: 9px; border: 1.5px solid currentColor; border-right-color: transparent; border-radius: 50%;
  animation: turn 800ms linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
.card > p { padding: 0 14px 9px; }
.request-reason, .summary, .prompt, .about, pre, code, .short { white-space: pre-wrap; }
:is(p, label, legend, dt, .title div)[dir] { ${MATCH_PARENT} }
.body { padding: 9px 14px; border-top: 1px solid var(--_line); background: var(--_sunken); font-size: 0.8125rem; }
dl { gap: 4px; margin: 0; }
.field { gap: 0 12px; align-items: baseline; }
.nested > dd { padding-inline-start: 12px; border-inline-start: 2px solid var(--_line); }
dt { color: var(--_muted); unicode-bidi: isolate; }
dd { margin: 0; min-width: 0; unicode-bidi: isolate; }
pre, code, .short { font-family: var(--_mono-font); font-size: inherit; unicode-bidi: plaintext; }
pre { margin: 0; }
.piece { display: block; }
.atom { unicode-bidi: isolate; direction: ltr; }
.line > code, pre[dir=ltr], .short[dir] { unicode-bidi: isolate; }
.empty { color: var(--_muted); font-style: italic; }
.control { padding: 0 3px; border: 1px solid currentColor; border-radius: 4px; background: var(--_no-surface); color: var(--_no); font-family: var(--_mono-font);
  font-size: 0.85em; font-style: normal; unicode-bidi: isolate; direction: ltr; }
.changed { gap: 8px; }
.diff { border: 1px solid var(--_line); border-radius: var(--_control-radius); overflow: hidden; background: var(--_surface); }
.line { display: grid; grid-template-columns: 1.4em minmax(0, 1fr); }
.sign { font-family: var(--_mono-font); text-align: center; user-select: none; }
.line.out { background: var(--_no-surface); color: var(--_no); }
.line.in { background: var(--_yes-surface); color: var(--_yes); }
.line.gap { display: block; padding: 0 8px; color: var(--_muted); }
.line.gap.out { color: var(--_no); }
.line.gap.in { color: var(--_yes); }
footer { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; min-height: 57px; padding: 10px 14px; border-top: 1px solid var(--_line); }
footer.slim { min-height: 0; padding-block: 8px; }
.note { flex: 1 1 12em; }
.prompt { font-weight: 600; }
.decision { flex: 1 1 260px; gap: 10px; }
/* Buttons that decide nothing, here and in a question, look like links. */
.block button, .decision :is(.quiet, .dismiss) { border-color: transparent; background: none; color: var(--_muted); text-decoration: underline; }
.block button { min-height: 28px; margin-top: 4px; padding: 0 4px; font-size: 0.8125rem; }
.block > .pager { margin-inline-start: 8px; }
.row { gap: 4px; min-width: 0; margin: 0; padding: 0; border: 0; }
legend { margin-bottom: 4px; padding: 0; }
.more-text { display: block; }
.check { display: flex; align-items: center; gap: 9px; min-height: 32px; color: var(--_text); font-size: 0.875rem; }
input, textarea, select { width: 100%; min-height: 36px; padding: 0 11px; border: 1px solid var(--_line-strong); border-radius: var(--_control-radius);
  background: var(--_surface); color: var(--_text); font: inherit; font-size: max(16px, 0.9375rem); }
textarea { padding-block: 8px; font-family: var(--_mono-font); font-size: 0.8125rem; }
.check input { flex: none; width: 1.125rem; min-height: 0; height: 1.125rem; margin: 0; padding: 0; accent-color: var(--_accent); }
[aria-invalid] { border-color: var(--_no); }
/* The focus has its own outline. */
:is(fieldset, .check input)[aria-invalid]:not(:focus) { outline: 1px solid var(--_no); outline-offset: 3px; }
.buttons > .row { display: flex; flex-wrap: wrap; max-width: 100%; align-items: center; gap: 4px 8px; }
select { width: auto; max-width: 100%; min-height: 32px; padding: 0 6px; font-size: 0.8125rem; }
.countdown { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
.countdown.hurry { color: var(--_wait); font-weight: 600; }
@media (min-width: 480px) {
  .field:not(.nested) { grid-template-columns: minmax(0, 9em) minmax(0, 1fr); }
}
@media (forced-colors: active) {
  .line.out code { text-decoration: line-through; }
  .line.in code { font-weight: 600; }
}
`;

/** Style sheets by document: only the document that created a constructed sheet can adopt it. */
const sheets = new WeakMap<Document, Map<string, CSSStyleSheet>>();

/**
 * Adopts the style sheet that all elements of the document share. A Content Security Policy does not block constructed
 * sheets.
 */
export function adopt(root: ShadowRoot, css: string): void {
  const { ownerDocument } = root;
  // A document without a window, such as that of a template, cannot create style sheets.
  const Sheet = ownerDocument.defaultView?.CSSStyleSheet;
  if (!Sheet) return;
  let known = sheets.get(ownerDocument);
  if (!known) sheets.set(ownerDocument, (known = new Map()));
  let sheet = known.get(css);
  if (!sheet) {
    sheet = new Sheet();
    sheet.replaceSync(css);
    known.set(css, sheet);
  }
  root.adoptedStyleSheets = [sheet];
}
