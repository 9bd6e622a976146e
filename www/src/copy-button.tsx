/** A button that copies a text, and says so. */
import { useState } from 'react';

export function CopyButton({ text }: { text: string }) {
  const [said, say] = useState('');
  const copy = async (): Promise<void> => {
    // Plain http has no clipboard, and the user may refuse it. The text can be selected by hand.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    say(isCopied ? 'Copied' : 'Select it to copy it');
  };
  return (
    <>
      <button type="button" className="button small" onClick={() => void copy()}>
        Copy
      </button>{' '}
      <span role="status" className="soft">
        {said}
      </span>
    </>
  );
}
