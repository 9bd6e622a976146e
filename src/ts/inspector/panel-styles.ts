/**
 * The styles of the inspector, for light and dark. The element's `color-scheme` determines which; the default is the
 * system's setting.
 */

/** The style sheet of the shadow tree. */
export const STYLES = `
:host {
  color-scheme: light dark;
  --surface: light-dark(#ffffff, #1b1c1a); --sunken: light-dark(#f5f4f0, #121311); --line: light-dark(#d8d4c9, #3c3f3a);
  --ink: light-dark(#1d1c19, #ecebe5); --soft: light-dark(#5b584f, #aaa79d); --accent: light-dark(#0f5f55, #6fcdbc); --focus: light-dark(#0b6e9e, #7cc7f0);
  --wait: light-dark(#724700, #f1cb7c); --yes: light-dark(#13592f, #8bdba8); --no: light-dark(#8f2618, #f5aa9e); --busy: light-dark(#1d4e84, #a1c8f3);
  display: block; box-sizing: border-box; color: var(--ink); background: var(--surface); font: 13px/1.45 system-ui, sans-serif; text-align: start;
}
:host([docked]) { position: fixed; inset: auto 0 0 0; z-index: 2147483000; border-top: 1px solid var(--line); box-shadow: 0 -4px 24px rgb(0 0 0 / 0.15); }
:host([hidden]) { display: none; }
*, ::before, ::after { box-sizing: border-box; }
.frame { display: flex; flex-direction: column; height: 100%; min-height: 0; }
:host([docked]) .frame.open { height: var(--height, 320px); max-height: 90vh; }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 4px 12px; background: var(--sunken); border-bottom: 1px solid var(--line); }
.head h2 { margin: 0; font-size: 13px; }
.status { color: var(--soft); flex: 1 1 120px; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.buttons { display: flex; flex-wrap: wrap; gap: 4px 8px; }
.tabs { display: flex; flex-wrap: wrap; gap: 2px; }
button, select { font: inherit; color: var(--ink); background: var(--surface); border: 1px solid var(--line); border-radius: 6px; padding: 3px 9px; min-height: 26px; cursor: pointer; }
button:hover { border-color: var(--soft); }
button:disabled { color: var(--soft); cursor: default; }
[role='tab'] { border-color: transparent; background: none; }
[role='tab'][aria-selected='true'] { border-color: var(--line); background: var(--surface); color: var(--accent); font-weight: 600; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; }
.count { color: var(--soft); font-variant-numeric: tabular-nums; }
.body { flex: 1; min-height: 0; overflow: auto; padding: 8px 12px; }
.handle { height: 7px; cursor: ns-resize; background: var(--sunken); touch-action: none; }
.handle:hover, .handle:focus-visible { background: var(--line); }
.bar, fieldset { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
fieldset { border: 0; margin: 0; padding: 0; }
div > .bar { position: sticky; top: -8px; z-index: 2; background: var(--surface); padding: 4px 0; }
.timeline { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px 16px; align-items: start; }
.now { height: 20px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
.lanes { display: flex; align-items: flex-start; height: 124px; overflow: auto; background: var(--sunken); border: 1px solid var(--line); border-radius: 8px; }
.names { position: sticky; left: 0; z-index: 1; flex: none; width: 148px; margin: 0; background: var(--sunken); border-right: 1px solid var(--line); font-size: 12px; min-height: 100%; }
.names li { display: flex; gap: 4px; height: 24px; padding: 0 8px; line-height: 24px; justify-content: space-between; white-space: nowrap; }
.names li > :first-child { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.names .name { display: flex; white-space: pre; } .name > span { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.names li:first-child { color: var(--soft); }
.waits { flex: none; position: relative; color: var(--wait); }
svg { flex: none; display: block; }
svg text { font: 11px system-ui, sans-serif; fill: var(--surface); }
.rule { stroke: var(--line); }
.span { fill: none; stroke: var(--soft); stroke-width: 2; }
.span.approval-requested { stroke: var(--wait); stroke-width: 4; stroke-dasharray: 4 3; }
.span.approval-responded { stroke: var(--busy); stroke-width: 4; }
.band { fill: var(--busy); opacity: 0.12; }
.wait { fill: var(--soft); }
.wait.user, .wait.tool { fill: var(--wait); }
.wait.reply, .wait.host { fill: var(--busy); }
.wait.retry, .wait.cancel, .wait.resume { fill: var(--no); }
.mark { fill: var(--sunken); stroke: var(--soft); stroke-width: 2; cursor: pointer; }
.mark.approval-requested { stroke: var(--wait); }
.mark.approval-responded, .mark.transition.output-available { stroke: var(--busy); }
.mark.approved, .mark.result { fill: var(--yes); stroke: var(--yes); }
.mark.bad { fill: none; }
.mark.bad, .mark.anomaly { stroke: var(--no); }
.mark.anomaly { fill: var(--no); }
.crossing { fill: var(--busy); stroke: var(--busy); cursor: pointer; }
.crossing.acknowledged { fill: var(--yes); stroke: var(--yes); }
.crossing.failed, .crossing.unconfirmed, .crossing.stalled { fill: var(--no); stroke: var(--no); }
.line-across { stroke-dasharray: 2 2; }
[data-chosen] { background: var(--sunken); box-shadow: -4px 0 var(--accent); }
@media (min-width: 760px) { .timeline { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .overview { position: sticky; top: 26px; } .lanes { height: 172px; } }
label { display: inline-flex; align-items: center; gap: 4px; min-height: 24px; }
select { max-width: 100%; }
ol, ul { list-style: none; margin: 6px 0 0; padding: 0; }
p, dl, dd, h3 { margin: 0; }
h3 { font-size: 13px; }
.note { color: var(--soft); }
.line { display: grid; grid-template-columns: 7.5em 6em 1fr; gap: 8px; padding: 3px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.line time, .kind { color: var(--soft); font-variant-numeric: tabular-nums; }
.line .subject { font-weight: 600; }
.line.anomaly .kind, .lost, .pill.failed, .pill.unconfirmed, .pill.stalled { color: var(--no); }
.line.decision .kind { color: var(--yes); }
.line.delivery .kind, .pill.ready { color: var(--busy); }
.cards { display: grid; gap: 8px; }
.card { border: 1px solid var(--line); border-radius: 8px; padding: 8px 10px; overflow-wrap: anywhere; display: grid; gap: 4px; justify-items: start; }
.pill { border: 1px solid currentcolor; border-radius: 99px; padding: 0 7px; font-weight: 400; font-size: 12px; }
dl { display: flex; flex-wrap: wrap; gap: 2px 16px; }
dl div { display: flex; gap: 6px; min-width: 0; }
dt { color: var(--soft); white-space: nowrap; }
details { max-width: 100%; width: 100%; }
summary { cursor: pointer; color: var(--accent); width: fit-content; }
pre { margin: 4px 0; padding: 6px 8px; background: var(--sunken); border-radius: 6px; max-height: 320px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.4 ui-monospace, monospace; }
.messages pre { max-height: none; }
.messages .yes { color: var(--yes); }
.messages .no { color: var(--no); }
.messages .wait { color: var(--wait); }
.columns { display: flex; gap: 12px; overflow-x: auto; align-items: flex-start; padding-top: 6px; }
.column { flex: 1 0 min(320px, 100%); min-width: 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 480px) { .head { gap: 4px 8px; } [role='tab'] { padding-inline: 6px; } .line { grid-template-columns: 1fr auto; } .line > div { grid-column: 1 / -1; } }
`;
