/** The rules of the review beside those of the list. Its two columns follow its own width, not that of the page. */
export const REVIEW_STYLES = `
.review { gap: 12px; container-type: inline-size; color: var(--_text); font-family: var(--_font); font-size: 0.875rem; line-height: 1.5; text-align: start; }
.split { gap: 12px; align-items: start; }
.calls { gap: 4px; max-height: 40vh; margin: 0; padding: 3px; overflow-y: auto; list-style: none; }
.call { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 8px; width: 100%; padding: 6px 10px; border-color: transparent;
  border-inline-start: 3px solid transparent; background: none; text-align: start; }
.call[aria-current] { border-color: var(--_line-strong); border-inline-start-color: var(--_accent); background: var(--_surface); }
.name { font-family: var(--_mono-font); unicode-bidi: isolate; }
.name, .short-input { text-align: -webkit-match-parent; text-align: match-parent; }
.short-input { grid-column: 1 / -1; overflow: hidden; font-weight: 400; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: plaintext; }
.yes, .no, .call-at { font-weight: 600; }
.yes { color: var(--_yes); }
.no { color: var(--_no); }
.yes::before { content: '✓ '; }
.no::before { content: '✗ '; }
.open-call { gap: 8px; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.mark p, .result { flex: 1; }
.mark, .send { padding: 8px 14px; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_sunken); }
@container (min-width: 620px) {
  .split { grid-template-columns: minmax(0, 15rem) minmax(0, 1fr); }
  .calls { max-height: 80vh; }
}
@media (forced-colors: active) {
  .call[aria-current] { border: 2px solid Highlight; border-inline-start-width: 6px; }
}
`;
