import type { ToolCallMessagePartProps } from '@assistant-ui/react';
import { createRoot } from 'react-dom/client';
import type { GateView, ToolPart } from 'toolgate';
import { GateProvider, useGateView } from 'toolgate/react';
import { GuardedConfirmation } from '@/components/toolgate/ai-elements-confirmation';
import { GuardedTool } from '@/components/toolgate/ai-elements-tool';
import { ApprovalCard } from '@/components/toolgate/approval-card';
import { ApprovalsList } from '@/components/toolgate/approvals-list';
import { GuardedToolFallback } from '@/components/toolgate/assistant-ui-tool';
import { earlier, list, openGate } from '../../shared/chat.js';
import './index.css';

/** What assistant-ui passes to a component for this call. */
const props = (part: ToolPart) =>
  ({
    type: 'tool-call',
    toolCallId: part.toolCallId,
    toolName: 'delete_file',
    args: {},
    argsText: JSON.stringify(part.input, null, 2),
    status: { type: part.outcome ? 'complete' : 'requires-action', reason: 'interrupt' },
  }) as unknown as ToolCallMessagePartProps;

const stepOf = ({ messages }: GateView) => messages.at(-1)!;
const calls = (message: GateView['messages'][number]) =>
  message.parts.filter((part): part is ToolPart => 'toolCallId' in part);

/** The same calls in the components that `?show=` names. */
function Chat() {
  const show = new URLSearchParams(location.search).get('show');
  const [past, now] = [useGateView(earlier) as ToolPart[], calls(useGateView(stepOf))];
  const all = [...past, ...now];
  if (show === 'tool') return all.map((part) => <GuardedTool key={part.toolCallId} part={part} />);
  if (show === 'confirmation') return all.map((part) => <GuardedConfirmation key={part.toolCallId} part={part} />);
  if (show === 'assistant-ui') return all.map((part) => <GuardedToolFallback key={part.toolCallId} {...props(part)} />);
  return (
    <>
      <h2 className="text-sm">Before</h2>
      {past.map((part) => (
        <ApprovalCard key={part.toolCallId} part={part} />
      ))}
      <h2 className="text-sm">Now</h2>
      <ApprovalsList {...list} />
    </>
  );
}

void openGate().then((gate) =>
  createRoot(document.querySelector('#app')!).render(
    <GateProvider gate={gate}>
      <h1 className="font-semibold">Chat</h1>
      <Chat />
    </GateProvider>,
  ),
);
