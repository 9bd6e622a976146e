/** Equality of values: plain data by content, dates by time, URLs by address, and all other objects by identity. */
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';

import { equal } from '../../src/ts/json/safe-reading.js';

class Money {
  #cents: number;
  constructor(cents: number) {
    this.#cents = cents;
  }
  get cents(): number {
    return this.#cents;
  }
}

describe('equal', () => {
  it.each<[string, () => unknown]>([
    ['a text', () => 'a'],
    ['NaN', () => NaN],
    ['an object', () => ({ a: [1, { b: null, c: undefined }] })],
    ['a list with a hole', () => [1, , 2]],
    ['an object without a prototype', () => Object.assign(Object.create(null) as object, { a: 1 })],
    ['an object of another realm', () => vm.runInNewContext('({ a: [1, { b: 2 }] })') as unknown],
    ['a date', () => new Date(5)],
    ['an invalid date', () => new Date(NaN)],
    ['a URL', () => new URL('http://a.example/?b#c')],
  ])('%s equals a copy', (_, make) => {
    expect(equal(make(), make())).toBe(true);
    expect(equal({ deep: [make()] }, { deep: [make()] })).toBe(true);
  });

  it('an object of another realm equals one of this realm', () => {
    expect(equal(vm.runInNewContext('({ a: [1] })'), { a: [1] })).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ['a Map and one with another value', new Map([['a', 1]]), new Map([['a', 2]])],
    ['an empty Map and one with a value', new Map(), new Map([['a', 2]])],
    ['a Set and one with another value', new Set([1]), new Set([2])],
    ['two Blobs', new Blob(['a']), new Blob(['b'])],
    ['two RegExps', /a/, /b/],
    ['two ArrayBuffers', new ArrayBuffer(1), new ArrayBuffer(2)],
    ['two DataViews', new DataView(new ArrayBuffer(1)), new DataView(new ArrayBuffer(2))],
    ['typed arrays of two kinds', new Uint8Array([1]), new Int8Array([1])],
    ['two objects of a class', new Money(1), new Money(2)],
    ['an object of a class and a plain one', new Money(1), {}],
    ['two promises', Promise.resolve(1), Promise.resolve(2)],
    ['two functions', () => 1, () => 1],
    ['two errors', new Error('a'), new Error('b')],
    ['two dates', new Date(5), new Date(6)],
    ['a date and an invalid date', new Date(5), new Date(NaN)],
    ['two URLs', new URL('http://a.example/'), new URL('http://b.example/')],
    ['a Map and an object', new Map(), {}],
    ['a list and an object', [], {}],
    ['null and an object', null, {}],
    ['0 and -0', 0, -0],
  ])('%s are not equal', (_, a, b) => {
    expect(equal(a, b)).toBe(false);
    expect(equal({ deep: [a] }, { deep: [b] })).toBe(false);
    expect(equal({ deep: [a] }, { deep: [a] })).toBe(true);
  });
});
