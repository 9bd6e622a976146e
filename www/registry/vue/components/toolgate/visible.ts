/** Writes out characters that are invisible or change the direction of text, so that they cannot hide anything. */
export function visible(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
