import { vectorSuite } from '@agentclash/testkit';
import { expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../json.js';
import { answerMock, type Mock, MockError } from './mock.js';

interface MockVector {
  id: string;
  implementation: Mock;
  args: JsonObject;
  expect: { result?: JsonValue; tool_error?: boolean };
}

vectorSuite<MockVector>('execution-mocks.yaml', ({ implementation, args, expect: wanted }) => {
  if (wanted.tool_error) expect(() => answerMock(implementation, args)).toThrow(MockError);
  else expect(answerMock(implementation, args)).toStrictEqual(wanted.result);
});

test('a lookup answers null where null is the entry, and never from a prototype', () => {
  const mock: Mock = { lookup_key: 'id', responses: { a: null } };
  expect(answerMock(mock, { id: 'a' })).toBeNull();
  expect(() => answerMock(mock, { id: 'constructor' })).toThrow(MockError);
});
