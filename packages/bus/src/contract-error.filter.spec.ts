import { ContractError } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import type { ArgumentsHost } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { ContractErrorFilter } from './contract-error.filter.js';
import { InvalidMessageError } from './message.pipe.js';

const context = { getArgs: () => ['rpc.runs.v1.get'] };
const host = {
  switchToRpc: () => ({ getContext: () => context }),
} as Partial<ArgumentsHost> as ArgumentsHost;
const unavailable = new ContractError('unavailable', 'The database is unavailable.');

describe('the filter of errors that handlers throw', () => {
  const filter = new ContractErrorFilter((error) =>
    error instanceof Error && error.message === 'no connection' ? unavailable : undefined,
  );

  test('the filter replaces an operational failure by the error that the classifier gives', async () => {
    await expect(lastValueFrom(filter.catch(new Error('no connection'), host))).rejects.toBe(unavailable);
  });

  test('the filter passes bugs and errors with a code unchanged', async () => {
    const bug = new TypeError('x is not a function');
    await expect(lastValueFrom(filter.catch(bug, host))).rejects.toBe(bug);
    const conflict = new ContractError('conflict', 'Not now.');
    await expect(lastValueFrom(filter.catch(conflict, host))).rejects.toBe(conflict);
  });
});

describe('the log of the filter', () => {
  function logged(error: unknown, classifier?: () => ContractError): unknown[] {
    const lines: unknown[] = [];
    const write = (level: string) => (fields: object, message: string) =>
      void lines.push([level, message, fields]);
    const logger = { warn: write('warn'), error: write('error') };
    new ContractErrorFilter(classifier, logger).catch(error, host);
    return lines;
  }

  test('the filter logs a rejected message with its subject and its problems', () => {
    const problems = [{ code: 'invalid_type', field: 'n', message: 'Expected number.' }];
    const error = new InvalidMessageError('rpc.runs.v1.list', problems);
    expect(logged(error)).toEqual([
      ['warn', 'message rejected', { subject: 'rpc.runs.v1.list', errors: problems }],
    ]);
  });

  test('the filter logs a bug as an error with its cause, and an unavailable dependency as a warning', () => {
    const bug = new TypeError('x is not a function');
    const fields = { subject: 'rpc.runs.v1.get', err: bug };
    expect(logged(bug)).toEqual([['error', 'handler failed', fields]]);
    expect(logged(bug, () => unavailable)).toEqual([
      ['warn', 'handler failed: dependency unavailable', fields],
    ]);
  });

  test('the filter does not log an error with a code, which is for the caller', () => {
    expect(logged(new ContractError('conflict', 'Not now.'))).toEqual([]);
  });
});
