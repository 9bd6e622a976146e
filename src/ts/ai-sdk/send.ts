/**
 * The forms in which `sendMessage` takes a message, turned into one user message.
 *
 * File parts stand before the text. A `FileList` is read into `data:` URLs, which takes time; everything else is
 * ready at once. Nothing here sends.
 */
import type { GateMessage } from '../types/index.js';
import type { FilePartInput, MessageForm } from './chat-internals.js';

/** A message's parts, or a promise of them if files have to be read first. */
export function partsOf(form: MessageForm): readonly unknown[] | Promise<readonly unknown[]> {
  if (!('text' in form) && !('files' in form)) return form.parts ?? [];
  const text = form.text == null ? [] : [{ type: 'text', text: form.text }];
  const { files } = form;
  if (files == null) return text;
  if (Array.isArray(files)) return [...(files as unknown[]), ...text];
  return readFiles(files).then((parts) => [...parts, ...text]);
}

/** The whole message. Keys that the AI SDK does not know stay; `messageId` is an instruction and no part of it. */
export function toUserMessage(form: MessageForm, parts: readonly unknown[], freshId: () => string): GateMessage {
  const { messageId, ...rest } = form;
  const given: MessageForm = 'text' in form || 'files' in form ? {} : rest;
  return {
    ...given,
    parts,
    id: given.id ?? messageId ?? freshId(),
    role: given.role ?? 'user',
    metadata: form.metadata,
  } as GateMessage;
}

/** Files picked by the user, as file parts with `data:` URLs. Refuses what is no `FileList`. */
async function readFiles(files: ArrayLike<unknown>): Promise<FilePartInput[]> {
  const { FileList } = globalThis;
  if (FileList === undefined || !(files instanceof FileList)) {
    throw new Error('FileList is not supported in the current environment');
  }
  return Promise.all(
    Array.from(files, async (file) => ({
      type: 'file' as const,
      mediaType: file.type,
      filename: file.name,
      url: await dataUrl(file),
    })),
  );
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error(`the file "${file.name}" could not be read`));
    reader.readAsDataURL(file);
  });
}
