/**
 * Options: an unknown name or an invalid value is refused with a message that lists the valid ones. A misspelt policy
 * must not silently become the default.
 */
import { describe, expect, it } from 'vitest';
import { ToolGate, type RestoreOptions, type ToolGateOptions } from 'toolgate';

import { checkOptions, oneOf, type Checks } from '../../src/ts/types/option-checks.js';
import { GATE_OPTIONS, RESTORE_OPTIONS } from '../../src/ts/gate/gate-options.js';
import type { ToolGateOptions as SourceOptions } from '../../src/ts/types/index.js';
import { asking } from './support.js';

/** A valid value for each option. The compiler requires an entry for a new option. */
const right: Required<ToolGateOptions> = {
  protocol: 'ai-sdk',
  chatId: 'chat',
  onDeny: 'end-turn',
  onUserMessage: 'queue',
  approvalTimeoutMs: 5,
  needsApproval: () => true,
  browserTools: ['pick'],
  texts: { denied: 'No.' },
  rewriteResult: ({ text }) => text,
  remembered: [],
  neverRemember: ['pay'],
  now: () => 1,
  history: 'client',
  logLimit: 0,
  generateId: () => 'id',
};

const names = Object.keys(right) as (keyof ToolGateOptions)[];

/** Invalid values for each option. */
const wrong: { readonly [NAME in keyof ToolGateOptions]-?: readonly unknown[] } = {
  protocol: ['telex', 'acp', 5, null, {}],
  chatId: [5, null, {}],
  onDeny: ['stop', '', null, true],
  onUserMessage: ['deny', {}],
  approvalTimeoutMs: [0, -1, NaN, Infinity, '5', null],
  needsApproval: [true, {}],
  browserTools: ['locate', [5], [null], {}],
  texts: ['No.', [], { denied: 5 }, { denyed: 'No.' }],
  rewriteResult: ['text', null],
  remembered: [{}, [null], 'all'],
  neverRemember: ['pay', [5], {}],
  now: [5, null],
  history: ['server', 'both'],
  logLimit: [-1, 1.5, '10', NaN, null],
  generateId: ['id'],
};

const refusal = (options: object): string => {
  try {
    new ToolGate(options);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message;
  }
  return 'nothing was refused';
};

it.each(names)('%s: accepts a valid value and undefined', (name) => {
  // `needsApproval` is about the tools of the page, so the gate must know these.
  new ToolGate({ browserTools: right.browserTools, [name]: right[name] }).free();
  new ToolGate({ [name]: undefined }).free();
});

it.each(names.flatMap((name) => wrong[name].map((value) => [name, value] as const)))(
  '%s: the value %j is refused, and the error names the option',
  (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(name);
    expect(message).toMatch(/Expected|must be/);
  },
);

it.each(['onDenny', 'onUserMesage', 'timeout', 'toString2', '__proto', 'incompleteTurn'])(
  'the unknown option %s is refused, and the error lists all options',
  (name) => {
    const message = refusal({ [name]: 'end-turn' });
    expect(message).toContain(`\`${name}\``);
    for (const known of names) expect(message).toContain(known);
  },
);

it('an unknown name in `texts` is refused, and the error lists the valid ones', () => {
  expect(refusal({ texts: { denyed: 'No.' } })).toMatch(/`texts\.denyed`.*denied.*denyPending/);
});

it.each([null, 5, 'ai-sdk', []])('refuses options that are not an object: %j', (options) => {
  expect(refusal(options as never)).toContain('object');
});

it('refuses a value that cannot be converted to a string', () => {
  const loop: unknown[] = [];
  loop.push(loop);
  expect(refusal({ onDeny: loop })).toContain('onDeny');
  expect(refusal({ onDeny: 10n })).toContain('onDeny');
  expect(refusal({ onDeny: 'x'.repeat(1000) }).length).toBeLessThan(300);
});

describe('options that are not plain objects', () => {
  it('may have getters; the getter of chatId is called when the id is needed', () => {
    let reads = 0;
    const gate = new ToolGate({
      get chatId() {
        reads++;
        return 'later';
      },
      get onUserMessage() {
        return 'block' as const;
      },
    });
    expect(reads).toBe(0);
    gate.sendUserMessage({ text: 'hi' });
    expect(gate.outgoing()).toMatchObject([{ body: { id: 'later' } }]);
  });

  it('may be inherited, also by a class instance; inherited options are checked', () => {
    class Defaults {
      get onDeny() {
        return 'skip-rest' as const;
      }
    }
    class Mine extends Defaults {
      onUserMessage = 'queue' as const;
    }
    new ToolGate(new Mine());
    new ToolGate(Object.create(new Mine()) as ToolGateOptions);
    expect(refusal(Object.create({ onDenny: 'end-turn' }) as object)).toContain('onDenny');
    class Wrong extends Mine {
      // @ts-expect-error not one of the values
      override get onDeny() {
        return 'stop';
      }
    }
    expect(refusal(new Wrong())).toContain('onDeny');
  });

  it('are not mutated and may be frozen', () => {
    const options = Object.freeze({ onDeny: 'continue' as const, remembered: Object.freeze([]) });
    new ToolGate(options);
    expect(Object.keys(options)).toEqual(['onDeny', 'remembered']);
  });

  it('ignores a name that was added to Object.prototype', () => {
    Object.defineProperty(Object.prototype, 'legacy', { value: 1, enumerable: true, configurable: true });
    try {
      new ToolGate({ onDeny: 'continue' });
    } finally {
      delete (Object.prototype as { legacy?: unknown }).legacy;
    }
  });
});

describe('restore', () => {
  const saved = () => asking(['c1']).gate.toJSON();

  it('accepts incompleteTurn, which the constructor refuses', () => {
    for (const incompleteTurn of ['keep', 'drop'] as const)
      expect(ToolGate.restore(saved(), { incompleteTurn }).pending()).toHaveLength(1);
    expect(refusal({ incompleteTurn: 'keep' })).toContain('incompleteTurn');
    expect(() => ToolGate.restore(saved(), { incompleteTurn: 'forget' as never })).toThrow(
      /incompleteTurn.*keep, drop/,
    );
  });

  it('checks other options like the constructor, and keeps their getters', () => {
    expect(() => ToolGate.restore(saved(), { onDenny: 'end-turn' } as RestoreOptions)).toThrow(
      /ToolGate\.restore: unknown option `onDenny`/,
    );
    const gate = ToolGate.restore(saved(), {
      get chatId() {
        return 'mine';
      },
      incompleteTurn: 'drop',
    });
    expect(gate.toJSON()).toMatchObject({ chatId: 'mine' });
  });
});

it('the checks work for other options types', () => {
  interface Mine {
    readonly mode?: 'a' | 'b';
    readonly gate?: SourceOptions;
  }
  const checks: Checks<Mine> = { mode: oneOf(['a', 'b']), gate: GATE_OPTIONS };
  checkOptions('mine', { mode: 'a', gate: { onDeny: 'continue' } }, checks);
  expect(() => checkOptions<Mine>('mine', { mode: 'c' as never }, checks)).toThrow(
    'mine: invalid option `mode`: "c". Expected one of: a, b',
  );
  expect(() => checkOptions<Mine>('mine', { gate: { onDenny: 1 } as never }, checks)).toThrow(
    'mine: unknown option `gate.onDenny`',
  );
  expect(Object.keys(RESTORE_OPTIONS).sort()).toEqual([...names, 'incompleteTurn'].sort());
});
