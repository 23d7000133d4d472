import { expect, test } from '@jest/globals';
import { answerMock, type Mock, MockError } from './mock.js';

test('a lookup answers null where null is the entry, and never from a prototype', () => {
  const mock: Mock = { lookup_key: 'id', responses: { a: null } };
  expect(answerMock(mock, { id: 'a' })).toBeNull();
  expect(() => answerMock(mock, { id: 'constructor' })).toThrow(MockError);
});
