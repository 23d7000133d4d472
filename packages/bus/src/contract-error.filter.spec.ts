import { ContractError } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import type { ArgumentsHost } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { ContractErrorFilter } from './contract-error.filter.js';

const context = { getArgs: () => ['rpc.runs.v1.get'] };
const host = {
  switchToRpc: () => ({ getContext: () => context }),
} as Partial<ArgumentsHost> as ArgumentsHost;
const away = new ContractError('unavailable', 'The database is away.');

describe('what a handler throws', () => {
  const filter = new ContractErrorFilter((error) =>
    error instanceof Error && error.message === 'no connection' ? away : undefined,
  );

  test('travels as the fault that the service knows it to be', async () => {
    await expect(lastValueFrom(filter.catch(new Error('no connection'), host))).rejects.toBe(away);
  });

  test('stays the bug that it is, and an error with a code what it says', async () => {
    const bug = new TypeError('x is not a function');
    await expect(lastValueFrom(filter.catch(bug, host))).rejects.toBe(bug);
    const refusal = new ContractError('conflict', 'Not now.');
    await expect(lastValueFrom(filter.catch(refusal, host))).rejects.toBe(refusal);
  });
});
