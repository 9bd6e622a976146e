/**
 * The adapter of CopilotKit's hooks `useAgent` and `useInterrupt`, for pages without its components, with AG-UI's
 * `HttpAgent`. The page sends and stops as `CopilotChat` does.
 */
import { createElement, useEffect } from 'react';
import { copilotKitFile, COPILOTKIT_VERSIONS, setUpCopilotKit } from '../../../pkg-scripts/lib/copilotkit.mjs';
import type { Data } from '../../interop/support';
import type { Adapter, Client, OpenOptions, Shown } from '../kit/src/index';
import { mount } from '../support/dom';
import { agUiServer } from './ag-ui-server';
import { impossible, impossibleScenarios } from './tanstack';

let installed: Promise<void> | undefined;

async function load(file: string): Promise<Data> {
  await (installed ??= setUpCopilotKit());
  return import(copilotKitFile(file));
}

/** What the components of the page hold. */
interface Page {
  agent: Data;
  copilotkit: Data;
  /** The props of the component that asks, while it is shown. */
  asked: Data;
  /** The last error that the page was told. */
  error?: Error | undefined;
}

async function open({ id, url }: OpenOptions): Promise<Client> {
  const [
    { useAgent, useInterrupt },
    { CopilotKitContext, CopilotKitCoreReact, EMPTY_SET, useCopilotKit },
    { HttpAgent },
  ] = await Promise.all(
    [
      '@copilotkit/react-core/dist/v2/headless.mjs',
      '@copilotkit/react-core/dist/v2/context.mjs',
      '@ag-ui/client/dist/index.mjs',
    ].map(load),
  );
  const page = {} as Page;
  // What `CopilotKitProvider` creates; its module needs a bundler.
  const agents = { default: new HttpAgent({ url, threadId: id }) };
  const copilotkit = new CopilotKitCoreReact({ agents__unsafe_dev_only: agents });
  copilotkit.subscribe({ onError: ({ error }: { error: Error }) => void (page.error = error) });
  function Chat() {
    page.agent = useAgent().agent;
    page.copilotkit = useCopilotKit().copilotkit;
    return useInterrupt({ renderInChat: false, render: (asked: Data) => createElement(Asked, { asked }) });
  }
  function Asked({ asked }: { asked: Data }) {
    page.asked = asked;
    useEffect(() => () => void (page.asked = undefined), []);
    return null;
  }
  const value = { copilotkit, executingToolCallIds: EMPTY_SET };
  const close = mount(createElement(CopilotKitContext.Provider, { value }, createElement(Chat)));
  return clientOf(page, close);
}

function clientOf(page: Page, close: () => void): Client {
  let ids = 0;
  const isAsked = (approvalId: string): boolean =>
    page.asked?.interrupts.some((one: Data) => one.id === approvalId) ?? false;
  const resolve = (approvalId: string, payload: object): unknown => {
    if (!isAsked(approvalId)) throw new Error('The page does not ask about this call.');
    return page.asked.resolve(payload, approvalId);
  };
  return {
    send: async (content) => {
      if (page.agent.isRunning) await page.agent.activeRunCompletionPromise;
      page.agent.addMessage({ id: `message-${ids++}`, role: 'user', content });
      page.error = undefined;
      await page.copilotkit.runAgent({ agent: page.agent });
      if (page.error) throw page.error;
    },
    approve: (approvalId) => resolve(approvalId, { approved: true }),
    deny: (approvalId, reason) => resolve(approvalId, { approved: false, reason }),
    stop: () => page.copilotkit.stopAgent({ agent: page.agent }),
    state: () => {
      const messages: Data[] = page.agent.messages;
      const resultOf = (id: string): string | undefined =>
        messages.find(({ toolCallId }) => toolCallId === id)?.content;
      const stateOf = (id: string): Shown => {
        const result = resultOf(id);
        if (result !== undefined) return result.startsWith('Denied') ? 'denied' : 'executed';
        return isAsked(`ask-${id}`) ? 'asked' : 'open';
      };
      const calls: Data[] = messages.flatMap(({ toolCalls = [] }) => toolCalls);
      return {
        isBusy: page.agent.isRunning,
        texts: messages.filter(({ role, content }) => role !== 'tool' && content).map(({ content }) => content),
        calls: calls.map(({ id }) => ({ id, state: stateOf(id) })),
      };
    },
    close: () => {
      page.agent.abortRun();
      close();
    },
  };
}

/** Scenarios in which the user writes a message while an approval is open. */
const REFUSED: readonly string[] = ['earlier-approval', 'message-while-asked', 'message-after-half-a-step'];

const REFUSAL = 'its agent sends no message, with an error, while an approval is open';

/** CopilotKit, with a server of AG-UI. `reason` is that of its interrupts. */
export const copilotKit = (reason: string): Adapter => ({
  name: '`useInterrupt`',
  versions: COPILOTKIT_VERSIONS,
  options: `\`HttpAgent\`, \`useInterrupt\` with \`renderInChat: false\`; interrupts with the reason \`${reason}\``,
  wire: agUiServer(reason),
  impossible: impossibleScenarios((scenario) => (REFUSED.includes(scenario.id) ? REFUSAL : impossible(scenario))),
  open,
});

/** With the reason of the interrupts that AG-UI's adapter of LangGraph sends. */
export const copilotKitAdapter = copilotKit('langgraph:interrupt');
