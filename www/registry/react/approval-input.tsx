/** The input of a call, as JSON. */
export function ApprovalInput({ input }: { input: unknown }) {
  if (input === undefined) return null;
  return (
    <pre
      tabIndex={0}
      aria-label="Input"
      className="bg-muted text-foreground focus-visible:ring-ring/50 max-h-64 overflow-auto rounded-md p-3 font-mono text-xs break-words whitespace-pre-wrap outline-none focus-visible:ring-[3px]"
    >
      {visible(JSON.stringify(input, null, 2) ?? '')}
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
