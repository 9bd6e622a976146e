/** Protocols are loaded when they are wanted: those that are named, without names all; and not one twice. */
import { beforeEach, expect, test, vi } from 'vitest';

const file = new URL('../../target/bindgen/toolgate.wasm', import.meta.url);

type Src = typeof import('../../src/ts/slim.js');
let src: Src;

beforeEach(async () => {
  vi.resetModules();
  src = await import('../../src/ts/slim.js');
});

test('a protocol that is not loaded is refused with what would have been right, and that of the AI SDK is always there', async () => {
  await src.init({ source: file, protocols: [] });
  expect(() => new src.ToolGate({ protocol: 'anthropic' })).toThrow(
    expect.objectContaining({
      code: 'not-initialized',
      message: expect.stringContaining('init({ protocols })') as string,
    }),
  );
  const gate = new src.ToolGate();
  expect(() => gate.assemble('anthropic')).toThrow(expect.objectContaining({ code: 'not-initialized' }));
  expect(gate.assemble()).toEqual([]);
  expect(src.capabilities('ai-sdk').kind).toBe('resubmitting');
});

test('what is named is loaded, and more of it later', async () => {
  await src.init({ source: file, protocols: ['anthropic'] });
  expect(new src.ToolGate({ protocol: 'anthropic' }).assemble()).toEqual([]);
  expect(() => src.capabilities('gemini')).toThrow(expect.objectContaining({ code: 'not-initialized' }));
  await src.loadProtocols(['gemini']);
  expect(src.capabilities('gemini').kind).toBe('resubmitting');
  expect(() => src.capabilities('effect')).toThrow(expect.objectContaining({ code: 'not-initialized' }));
});

test('without names all are loaded', async () => {
  await src.init(file);
  for (const protocol of ['effect', 'anthropic', 'openai-chat', 'openai-responses', 'gemini', 'vscode'] as const) {
    expect(new src.ToolGate({ protocol }).assemble()).toEqual([]);
  }
});

test('a gate made before may assemble for a protocol that is loaded later', async () => {
  src.initSync(await (await import('node:fs/promises')).readFile(file));
  const gate = new src.ToolGate();
  gate.load([{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]);
  await src.loadProtocols(['openai-chat']);
  expect(gate.assemble('openai-chat')).toEqual([{ role: 'user', content: 'Hi' }]);
});

test('a name that is no protocol is refused', async () => {
  await expect(src.init({ source: file, protocols: ['openai' as never] })).rejects.toThrow(TypeError);
  expect(() => src.capabilities('toString' as never)).toThrow(TypeError);
});
