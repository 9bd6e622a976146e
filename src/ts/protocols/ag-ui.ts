/**
 * `ag-ui`: the Agent User Interaction Protocol. Source: `@ag-ui/core` 1.0 (events, messages, `RunAgentInput`),
 * `@ag-ui/client` 1.0 and "Interrupts" of its specification. `tanstack` is a dialect of it.
 *
 * A run ends with interrupts, and the next run answers each of them once, in `resume`. The interrupt is stored
 * unchanged in the approval: `approval['ag-ui']`. An interrupt that does not belong to a call is shown as a call of its
 * own, which is never part of a history. Streams are read in ag-ui/stream.ts; messages and requests are in
 * ag-ui/messages.ts.
 */
import { agnoInput } from './ag-ui/agno.js';
import { answersTo } from './ag-ui/answers.js';
import { CODEC } from './ag-ui/codec.js';
import { runInput } from './ag-ui/messages.js';
import { AG_UI } from './ag-ui/names.js';
import { createReader } from './ag-ui/stream.js';
import { requestOf } from './langgraph/interrupts.js';
import { makeProtocol } from './shared/make-protocol.js';
import { unanswered } from './shared/stand-ins.js';
import type { Capabilities, Protocol } from '../types/index.js';
import type { AgUiBody, Said, Typed } from '../types/backends.js';

/** What servers lose beside the protocol's own losses, and what they do with repeated answers. */
const SERVERS = {
  'pydantic-ai': {},
  microsoft: { reason: false, repeat: 'unknown' },
  strands: { reason: false, editedInput: false, repeat: 'unknown' },
  // The server adds every message whose id it does not know to its thread, and gives results new ids.
  langgraph: { history: 'server', repeat: 'unknown' },
  adk: { reason: false, editedInput: false, repeat: 'unknown' },
  agno: { editedInput: false, cancel: false, repeat: 'unknown' },
} satisfies Record<string, Partial<Capabilities>>;

/** A server that speaks AG-UI: the name for `agUiFor`. */
export type AgUiServer = keyof typeof SERVERS;

type AgUi = Protocol<AgUiBody, Typed, Said>;

const make = (server?: AgUiServer): AgUi =>
  makeProtocol({
    ...CODEC,
    name: 'ag-ui',
    capabilities: { ...CODEC.capabilities, ...(server && SERVERS[server]) },
    createReader: (stream) => createReader(stream, { asksByCall: server === 'agno', native: requestOf }),
    body(entries, context) {
      if (server === 'agno') return agnoInput(entries, context);
      const decisions = [...context.decisions, ...unanswered(entries)];
      return runInput(
        entries,
        context,
        answersTo(decisions, context, context.metadata?.[AG_UI]?.['interrupts'] as string[] | undefined),
      );
    },
  });

/** The Agent User Interaction Protocol. What an approval accepts is read from its `responseSchema`. */
export const agUi: AgUi = make();

/**
 * AG-UI as one server speaks it. `capabilities` are then those of that server, and Agno's approvals, which are not
 * interrupts, are recognized: with `'agno'`, every call that has no result at the end of a run waits for approval.
 */
export const agUiFor: (server: AgUiServer) => AgUi = make;
