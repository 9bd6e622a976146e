/** The error class. */
import { describe, expect, it } from 'vitest';
import { ToolGateError } from '../../src/ts/types/errors.js';

describe('ToolGateError', () => {
  it('is an Error with a code and only the given ids', () => {
    const error = new ToolGateError('busy', 'wait');
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('ToolGateError');
    expect(String(error)).toBe('ToolGateError: wait');
    expect(error.code).toBe('busy');
    expect('toolCallId' in error || 'approvalId' in error || 'cause' in error).toBe(false);
    expect(error.stack).toContain('errors.test');
  });

  it('has ids, also empty ones, and a cause', () => {
    const cause = new Error('why');
    const error = new ToolGateError('stale-input', 'm', { toolCallId: 'c1', approvalId: '', cause });
    expect(error).toMatchObject({ toolCallId: 'c1', approvalId: '', cause });
  });
});
