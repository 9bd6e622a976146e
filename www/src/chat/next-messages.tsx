/** Messages to go on with, each a button: what a scenario suggests when the chat is idle. */

/** Props of `NextMessages`. */
export interface NextMessagesProps {
  texts: readonly string[];
  send: (text: string) => void;
}

export function NextMessages({ texts, send }: NextMessagesProps) {
  if (texts.length === 0) return null;
  return (
    <ul className="next" aria-label="Go on with">
      {texts.map((text) => (
        <li key={text}>
          <button type="button" className="button small" onClick={() => send(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
