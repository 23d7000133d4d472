import type { Mock } from '@agentclash/domain';
import { expect, test } from '@jest/globals';
import { MockError, mockResponse } from './mock.js';

test('a lookup responds null where null is the entry, and never from a prototype', () => {
  const mock: Mock = { lookup_key: 'id', responses: { a: null } };
  expect(mockResponse(mock, { id: 'a' })).toBeNull();
  expect(() => mockResponse(mock, { id: 'constructor' })).toThrow(MockError);
});
