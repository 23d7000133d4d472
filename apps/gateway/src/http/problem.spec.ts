import { ContractError, ERRORS, type ErrorCode } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { NotFoundException } from '@nestjs/common';
import { isBug, problemResponse } from './problem.js';

describe('an error response', () => {
  test.each(Object.keys(ERRORS) as ErrorCode[])('%s has the status and title of the table', (code) => {
    const { status, document, headers } = problemResponse(new ContractError(code, 'why'), 'r1');
    expect(status).toBe(ERRORS[code].http);
    expect(document).toMatchObject({ status, code, title: ERRORS[code].title, request_id: 'r1' });
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect('retry-after' in headers).toBe(status === 429 || status === 503);
  });

  test('the details of an error cannot replace the members of its document', () => {
    const facts = { changed_sections: ['cases'], status: 200, code: 'fine', request_id: 'x', detail: 'y' };
    const { document } = problemResponse(new ContractError('version_exists', 'why', facts), 'r1');
    expect(document).toMatchObject({
      changed_sections: ['cases'],
      status: 409,
      code: 'version_exists',
      detail: 'why',
    });
    expect(document.request_id).toBe('r1');
  });

  test.each([new TypeError('secret'), 'secret', null, undefined, { message: 'secret', statusCode: 200 }])(
    'the response to a bug (%p) holds nothing but the request id',
    (error) => {
      const { status, document } = problemResponse(error, 'r1');
      expect([status, document.code]).toEqual([500, 'internal']);
      expect(JSON.stringify(document)).not.toContain('secret');
      expect(isBug(error)).toBe(true);
    },
  );

  test.each([
    [new NotFoundException(), 404],
    [{ statusCode: 413 }, 413],
    [{ statusCode: 415 }, 415],
    [{ statusCode: 406 }, 400],
    [{ statusCode: 414 }, 404],
  ])("the framework's own errors become errors of the table", (error, status) => {
    expect(problemResponse(error, 'r1').status).toBe(status);
    expect(isBug(error)).toBe(false);
  });
});
