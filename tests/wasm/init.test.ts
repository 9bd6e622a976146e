/**
 * Starting the built core: all calls share one start, a failed start can be repeated, and functions that need the core
 * throw before it is started.
 */
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const file = new URL('../../target/bindgen/toolgate.wasm', import.meta.url);

type Init = typeof import('../../src/ts/wasm/init.js');
let core: Init;

beforeEach(async () => {
  vi.resetModules();
  core = await import('../../src/ts/wasm/init.js');
});

describe('init', () => {
  it('starts the core once', async () => {
    expect(core.isInitialized()).toBe(false);
    const first = core.init(file);
    const second = core.init('file:///not/even/looked/at');
    expect(second).toBe(first);
    expect(core.isInitialized()).toBe(false);
    expect(await first).toBeUndefined();
    expect(core.isInitialized()).toBe(true);
    expect(await core.init('file:///not/looked/at/either')).toBeUndefined();
    expect(() => core.assertInitialized()).not.toThrow();
  });

  it('can be called again after a failure', async () => {
    const missing = new URL('./missing.wasm', file);
    const [first, second] = [core.init(missing), core.init(missing)];
    await expect(first).rejects.toMatchObject({ name: 'ToolGateError', code: 'load-failed' });
    await expect(second).rejects.toThrow(missing.href);
    expect(core.isInitialized()).toBe(false);
    await core.init(file);
    expect(core.isInitialized()).toBe(true);
  });

  it('rejects the module of another program', async () => {
    // This module imports a function that the core's bindings do not have.
    const other = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0]);
    await expect(core.init(other)).rejects.toMatchObject({
      code: 'load-failed',
      message: expect.stringContaining("is not Toolgate's") as string,
    });
    expect(() => core.initSync(other)).toThrow(expect.objectContaining({ code: 'load-failed' }));
    await core.init(file);
    expect(core.isInitialized()).toBe(true);
  });

  it('initSync starts the core from bytes or a module', async () => {
    const bytes = await readFile(file);
    core.initSync(bytes);
    expect(core.isInitialized()).toBe(true);
    core.initSync(new Uint8Array());
    vi.resetModules();
    const again = await import('../../src/ts/wasm/init.js');
    again.initSync(await WebAssembly.compile(bytes));
    expect(again.isInitialized()).toBe(true);
  });

  it('ignores a load that completes after a synchronous start', async () => {
    const loading = core.init(file);
    core.initSync(await readFile(file));
    await loading;
    expect(core.isInitialized()).toBe(true);
  });

  it('assertInitialized throws before the start, and its message names init()', () => {
    expect(() => core.assertInitialized()).toThrow(
      expect.objectContaining({ code: 'not-initialized', message: expect.stringContaining('await init()') as string }),
    );
  });
});

describe("the package's own file", () => {
  it('is loaded from the folder of the module, and an error names its address', async () => {
    const { init } = await import('../../src/ts/wasm/own-wasm.js');
    await expect(init()).rejects.toMatchObject({
      code: 'load-failed',
      message: expect.stringMatching(/file:.*\/toolgate\.wasm could not be read/) as string,
    });
    await init(file);
    expect(core.isInitialized()).toBe(true);
  });
});

describe('importing', () => {
  it('uses no browser globals', async () => {
    const touched: string[] = [];
    const names = ['window', 'document', 'fetch', 'navigator', 'location', 'WebAssembly', 'crypto', 'localStorage'];
    const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
    vi.resetModules();
    for (const name of names) {
      Object.defineProperty(globalThis, name, { configurable: true, get: () => void touched.push(name) });
    }
    try {
      await import('../../src/ts/wasm/own-wasm.js');
    } finally {
      for (const [name, descriptor] of before) {
        if (descriptor) Object.defineProperty(globalThis, name, descriptor);
        else delete (globalThis as Record<string, unknown>)[name];
      }
    }
    expect(touched).toEqual([]);
  });
});
