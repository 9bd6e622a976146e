/** The code of a chat with Toolgate, for each framework. */
import { useState } from 'react';
import { DOCS } from '../session/pages';
import plain from './code/plain.ts?raw';
import react from './code/react.tsx?raw';
import svelte from './code/svelte.svelte?raw';
import vue from './code/vue.vue?raw';

/** Each framework with its code and its page of the documentation. */
const FRAMEWORKS = [
  ['React', react, 'start-react.html'],
  ['Svelte', svelte, 'start-svelte.html'],
  ['Vue', vue, 'start-vue.html'],
  ['No framework', plain, 'start-plain.html'],
] as const;

export function Code() {
  const [framework, choose] = useState<(typeof FRAMEWORKS)[number]>(FRAMEWORKS[0]);
  const [name, code, page] = framework;
  return (
    <div className="code-box">
      <fieldset className="choices">
        <legend>Framework</legend>
        {FRAMEWORKS.map((one) => (
          <label key={one[0]}>
            <input type="radio" name="framework" checked={one === framework} onChange={() => choose(one)} />
            {one[0]}
          </label>
        ))}
      </fieldset>
      <pre tabIndex={0} aria-label={`The code: ${name}`}>
        <code>{code.trim()}</code>
      </pre>
      <p className="about">
        <a href={`${DOCS}${page}`}>The whole example, with its server</a>
      </p>
    </div>
  );
}
