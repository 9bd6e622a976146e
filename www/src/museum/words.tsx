/** The sentences of an exhibit. They depend on the results only. */
import type { Bug, Run } from './run';

/** Text with `code` and **strong** words, as the bug table writes it. */
export function Words({ children }: { children: string }) {
  return children.split(/(`[^`]*`|\*\*[^*]*\*\*)/).map((piece, i) => {
    if (piece.startsWith('`')) return <code key={i}>{piece.slice(1, -1)}</code>;
    if (piece.startsWith('**')) return <strong key={i}>{piece.slice(2, -2)}</strong>;
    return piece;
  });
}

/** The first letter in upper case, and a full stop. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What a visitor should know after a run: who was wrong, why, and what is right. */
export function lesson({ cause, rule }: Bug, { plain, guarded }: Run): string {
  if (plain.isRight && guarded.isRight) return `Both chats are right here. ${rule}`;
  if (plain.isRight) return `The AI SDK alone is right, and Toolgate is wrong. Expected: ${rule}`;
  const wrong = guarded.isRight ? 'The AI SDK alone is wrong' : 'Both chats are wrong';
  return `${wrong}. ${cause} Expected: ${rule}`;
}
