/** The scenario of a bug as code: the file of the repository that both chats of the page have just run. */
import { useState } from 'react';
import { CopyButton } from '../copy-button';
import type { Bug } from './run';

const files = import.meta.glob<string>('../../../tests/bugs/cases/*.ts', { query: '?raw', import: 'default' });

export function Reproduction({ bug: { id } }: { bug: Bug }) {
  const [code, setCode] = useState('');
  const load = async (): Promise<void> => setCode(await files[`../../../tests/bugs/cases/${id}.ts`]!());
  return (
    <details className="reproduction" onToggle={() => void load()}>
      <summary>
        The scenario as code: <code>tests/bugs/cases/{id}.ts</code>
      </summary>
      <CopyButton text={code} />
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </details>
  );
}
