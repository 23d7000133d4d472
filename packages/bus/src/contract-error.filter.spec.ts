import { ContractError } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import type { ArgumentsHost } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { ContractErrorFilter } from './contract-error.filter.js';

const context = { getArgs: () => ['rpc.runs.v1.get'] };
const host = {
  switchToRpc: () => ({ getContext: () => context }),
} as Partial<ArgumentsHost> as ArgumentsHost;
const unavailable = new ContractError('unavailable', 'The database is unavailable.');

describe('the filter of errors that handlers throw', () => {
  const filter = new ContractErrorFilter((error) =>
    error instanceof Error && error.message === 'no connection' ? unavailable : undefined,
  );

  test('replaces an operational failure by the error that the classifier gives', async () => {
    await expect(lastValueFrom(filter.catch(new Error('no connection'), host))).rejects.toBe(unavailable);
  });

  test('passes bugs and errors with a code unchanged', async () => {
    const bug = new TypeError('x is not a function');
    await expect(lastValueFrom(filter.catch(bug, host))).rejects.toBe(bug);
    const conflict = new ContractError('conflict', 'Not now.');
    await expect(lastValueFrom(filter.catch(conflict, host))).rejects.toBe(conflict);
  });
});
