import { ContractError } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

const unavailable = new ContractError('unavailable', 'No response.');
const options = { timeoutMs: 60_000, intervalMs: 0 };

/** A call that fails with these errors in their order, then succeeds. */
function callOf(...errors: unknown[]) {
  const call = async () => {
    call.count += 1;
    const error = errors[call.count - 1];
    if (error !== undefined) throw error;
    return call.count;
  };
  call.count = 0;
  return call;
}

describe('retryWhileUnavailable', () => {
  test('a call is repeated while its service is unavailable', async () => {
    await expect(retryWhileUnavailable(callOf(unavailable, unavailable), options)).resolves.toBe(3);
  });

  test('a call that fails in another way is not repeated', async () => {
    const call = callOf(unavailable, new ContractError('conflict', 'Held by another.'));
    await expect(retryWhileUnavailable(call, options)).rejects.toThrow('Held by another.');
    expect(call.count).toBe(2);
  });

  test('a call is not repeated after its timeout, and fails as it did last', async () => {
    const call = callOf(unavailable, unavailable);
    await expect(retryWhileUnavailable(call, { ...options, timeoutMs: -1 })).rejects.toBe(unavailable);
    expect(call.count).toBe(1);
  });

  test('the caller decides which errors are repeated', async () => {
    const isRetryable = (error: unknown) => error instanceof RangeError;
    const repeated = retryWhileUnavailable(callOf(new RangeError('full')), { ...options, isRetryable });
    await expect(repeated).resolves.toBe(2);
    const failed = retryWhileUnavailable(callOf(unavailable), { ...options, isRetryable });
    await expect(failed).rejects.toBe(unavailable);
  });
});
