import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { argumentsCheck } from '../../tools/arguments.js';

interface ArgumentsVector {
  id: string;
  schema: JsonObject;
  args: JsonValue;
  expect: { ok: boolean; path?: string };
}

export const driver: VectorDriver<ArgumentsVector> = {
  run({ schema, args, expect: wanted }) {
    expect(argumentsCheck(schema)(args)).toMatchObject(wanted);
  },
};
