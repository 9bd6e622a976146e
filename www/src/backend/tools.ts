/**
 * The tools that the model may call, and which of them need the user's approval. Tools that read run at once; all that
 * change a file need approval. Each run is recorded in the backend's record.
 */
import { tool, type ToolSet } from 'ai';
import { z } from 'zod';
import type { Recorder } from './record';
import type { Workspace } from './workspace';

// Without this, zod probes `new Function`, which the page's content security policy reports.
z.config({ jitless: true });

/** Which tools wait for the user, in the form that `streamText({ toolApproval })` takes. */
export const TOOL_APPROVAL = {
  edit_file: 'user-approval',
  write_file: 'user-approval',
  delete_file: 'user-approval',
} as const;

/** The dependencies of the tools. */
export interface ToolHost {
  workspace: Workspace;
  recorder: Recorder;
  /** Waits a little, so that a person sees the tool run. Rejects when `signal` aborts. */
  pause(signal: AbortSignal | undefined): Promise<void>;
}

/** Builds the tools over one workspace. */
export function createTools(host: ToolHost): ToolSet {
  const run = async (
    toolName: string,
    input: unknown,
    options: { toolCallId: string; abortSignal?: AbortSignal | undefined },
    work: () => string,
  ): Promise<string> => {
    const settle = host.recorder.toolRun({ toolCallId: options.toolCallId, toolName, input });
    try {
      await host.pause(options.abortSignal);
      const detail = work();
      settle('ok', detail, host.workspace.snapshot());
      return detail;
    } catch (error) {
      settle('error', error instanceof Error ? error.message : String(error), host.workspace.snapshot());
      throw error;
    }
  };

  const path = z.string().describe('The file name, such as menu.md');
  const { workspace } = host;
  return {
    list_files: tool({
      description: 'Lists the files of the workspace.',
      inputSchema: z.object({}),
      execute: (input, options) => run('list_files', input, options, () => workspace.list().join('\n')),
    }),
    read_file: tool({
      description: 'Reads one file.',
      inputSchema: z.object({ path }),
      execute: (input, options) => run('read_file', input, options, () => workspace.read(input.path)),
    }),
    edit_file: tool({
      description: 'Replaces one piece of text in a file. old_text must occur exactly once.',
      inputSchema: z.object({ path, old_text: z.string(), new_text: z.string() }),
      execute: (input, options) =>
        run('edit_file', input, options, () => {
          workspace.edit(input.path, input.old_text, input.new_text);
          return `Edited ${input.path}.`;
        }),
    }),
    write_file: tool({
      description: 'Creates a file, or replaces all of its text.',
      inputSchema: z.object({ path, content: z.string() }),
      execute: (input, options) =>
        run('write_file', input, options, () => {
          workspace.write(input.path, input.content);
          return `Wrote ${input.path}.`;
        }),
    }),
    delete_file: tool({
      description: 'Deletes a file.',
      inputSchema: z.object({ path }),
      execute: (input, options) =>
        run('delete_file', input, options, () => {
          workspace.remove(input.path);
          return `Deleted ${input.path}.`;
        }),
    }),
  };
}
