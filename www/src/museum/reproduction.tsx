/** The scenario of a bug as code: the file of the repository that both chats of the page have just run. */
import { useState } from 'react';
import type { Bug } from './run';

const files = import.meta.glob<string>('../../../tests/bugs/cases/*.ts', { query: '?raw', import: 'default' });

export function Reproduction({ bug: { id } }: { bug: Bug }) {
  const [code, setCode] = useState('');
  const [said, say] = useState('');
  const load = async (): Promise<void> => setCode(await files[`../../../tests/bugs/cases/${id}.ts`]!());
  const copy = (): void => {
    // On plain http there is no clipboard. The code can be selected by hand.
    void navigator.clipboard?.writeText(code).then(() => say('Copied'));
  };
  return (
    <details className="reproduction" onToggle={() => void load()}>
      <summary>
        The scenario as code: <code>tests/bugs/cases/{id}.ts</code>
      </summary>
      <button type="button" className="button small" onClick={copy}>
        Copy
      </button>{' '}
      <span role="status" className="soft">
        {said}
      </span>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </details>
  );
}
