import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PayloadOf } from './event-payloads.js';
import {
  isRecord,
  listOf,
  numberIn,
  numberOf,
  recordIn,
  recordOf,
  recordsIn,
  textIn,
  textOf,
  textsIn,
  tokensIn,
} from './payload.js';

describe('payload readers', () => {
  test('a member of another type than expected reads as absent, whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const payload = { member: value };
        expect(textIn(payload, 'member')).toBe(typeof value === 'string' ? value : undefined);
        expect(numberIn(payload, 'member')).toBe(typeof value === 'number' ? value : undefined);
        expect(recordIn(payload, 'member')).toBe(isRecord(value) ? value : undefined);
        expect(recordsIn(payload, 'member')).toEqual(Array.isArray(value) ? value.filter(isRecord) : []);
        expect(textsIn(payload, 'member').every((text) => typeof text === 'string')).toBe(true);
      }),
    );
  });

  test('a value of another type than expected reads as an empty one', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(textOf(value)).toBe(typeof value === 'string' ? value : '');
        expect(numberOf(value)).toBe(typeof value === 'number' ? value : null);
        expect(recordOf(value)).toEqual(isRecord(value) ? value : {});
        expect(listOf(value)).toEqual(Array.isArray(value) ? value : []);
      }),
    );
  });

  test('only the declared members of an event payload can be read', () => {
    const payload: PayloadOf<'tool.call.started'> = { tool_name: 'exec', step_index: 2 };
    expect([textIn(payload, 'tool_name'), numberIn(payload, 'step_index')]).toEqual(['exec', 2]);
    // @ts-expect-error: no member of this payload
    expect(textIn(payload, 'tool')).toBeUndefined();
  });

  test('a number too large for JSON readers is no number', () => {
    expect(numberIn(JSON.parse('{"cost_usd": 1e999}'), 'cost_usd')).toBeUndefined();
  });

  test('the tokens of a call are the total of its usage, else the sum of input and output', () => {
    expect(tokensIn({ usage: { input: 3, output: 4, total: 9 } })).toBe(9);
    expect(tokensIn({ usage: { input: 3, output: 4 } })).toBe(7);
    expect(tokensIn({ usage: { input: 3 } })).toBe(3);
    expect(tokensIn({ usage: { total: null } })).toBeUndefined();
    expect(tokensIn({})).toBeUndefined();
  });
});
