/** The rules of `<tool-question>` beside those of the card. */
export const QUESTION_STYLES = `
.message { font-size: 0.9375rem; white-space: pre-wrap; }
.message + .answer { margin-top: 9px; }
.decision { flex-basis: 100%; gap: 14px; }
.check + .about { padding-inline: 26px; }
.row > label, legend { color: var(--_text); font-size: 0.875rem; font-weight: 500; }
.optional { color: var(--_muted); font-weight: 400; }
.decision select { width: 100%; min-height: 36px; padding: 0 8px; font-size: max(16px, 0.9375rem); }
.decision textarea { font-family: inherit; font-size: max(16px, 0.9375rem); }
`;
