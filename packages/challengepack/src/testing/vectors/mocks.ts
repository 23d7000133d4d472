import type { Mock } from '@agentclash/domain';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import type { JsonObject, JsonValue } from '../../json.js';
import { MockError, mockResponse } from '../../tools/mock.js';

interface MockVector {
  id: string;
  implementation: Mock;
  args: JsonObject;
  expect: { result?: JsonValue; tool_error?: boolean };
}

export const driver: VectorDriver<MockVector> = {
  run({ implementation, args, expect: wanted }) {
    if (wanted.tool_error) expect(() => mockResponse(implementation, args)).toThrow(MockError);
    else expect(mockResponse(implementation, args)).toStrictEqual(wanted.result);
  },
};
