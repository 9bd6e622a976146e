/** The input of a call, as JSON. */
export function ApprovalInput({ input }: { input: unknown }) {
  if (input === undefined) return null;
  return (
    <pre
      dir="ltr"
      role="group"
      tabIndex={0}
      aria-label="Input"
      className="bg-muted text-foreground focus-visible:ring-ring/50 max-h-64 overflow-auto rounded-md p-3 font-mono text-xs break-words whitespace-pre-wrap focus-visible:outline-hidden focus-visible:ring-[3px]"
    >
      {jsonPieces(input).map((piece, at) => (at % 2 === 1 ? <bdi key={at}>{piece}</bdi> : piece))}
    </pre>
  );
}

/** Writes out characters that are invisible or change the direction of text, so that they cannot hide anything. */
export function visible(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** A string of JSON. */
const STRING = /("(?:[^"\\]|\\.)*")/;

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A value as JSON, in pieces: every second one is a string, to be shown in a `<bdi>`. Without it, a name and a value
 * that are written from right to left would swap their places.
 */
export function jsonPieces(value: unknown): string[] {
  const text = visible(JSON.stringify(value, null, 2) ?? '');
  return RIGHT_TO_LEFT.test(text) ? text.split(STRING) : [text];
}
