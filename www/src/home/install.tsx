/** The command that installs the package, with a button that copies it. */
import { useState } from 'react';

const COMMAND = 'npm install toolgate';

export function Install() {
  const [said, say] = useState('');
  const copy = async (): Promise<void> => {
    // The clipboard is missing on plain http, and the user may refuse it. The command can be selected by hand.
    const isCopied = await navigator.clipboard?.writeText(COMMAND).then(
      () => true,
      () => false,
    );
    say(isCopied ? 'Copied' : 'Select it to copy it');
  };
  return (
    <div className="install">
      <code>{COMMAND}</code>
      <button type="button" className="button small" onClick={() => void copy()}>
        Copy
      </button>
      <span role="status" className="soft">
        {said}
      </span>
    </div>
  );
}
