/** The rules of `<tool-question>` beside those of the card. */
export const QUESTION_STYLES = `
.message { font-size: 0.9375rem; white-space: pre-wrap; }
.message + .answer { margin-top: 9px; }
.decision { flex-basis: 100%; gap: 14px; }
.check + .about { padding-inline: 26px; }
.decision > .row { gap: 5px; margin: 0; padding: 0; border: 0; min-width: 0; }
.row > label, legend { padding: 0; color: var(--_text); font-size: 0.875rem; font-weight: 500; }
legend { margin-bottom: 5px; }
.optional { color: var(--_muted); font-weight: 400; }
.about { color: var(--_muted); font-size: 0.8125rem; white-space: pre-wrap; }
.decision select { width: 100%; min-height: 36px; padding: 0 8px; font-size: max(16px, 0.9375rem); }
fieldset[aria-invalid] .check input, .check input[aria-invalid] { outline: 1px solid var(--_no); outline-offset: 1px; }
.decision textarea { font-family: inherit; font-size: max(16px, 0.9375rem); }
`;
