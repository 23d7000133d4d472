import { payloadReference } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ReplayStep } from '../routes/attempts.js';
import { cutStep } from './step-cuts.js';

const CALL: ReplayStep = {
  ...{ number: 3, type: 'model.call', status: 'completed', source: 'native_engine', step_index: 1 },
  ...{ started_at: '2026-01-02T03:04:05.000Z', finished_at: '2026-01-02T03:04:06.000Z', duration_ms: 1_000 },
  ...{ sequence_numbers: [7, 8, 9], input: null, result: null },
};
const LONG = 'x'.repeat(500);

describe('the cuts of a step', () => {
  test('each cut names its place, its event and the length of the whole', () => {
    const step = {
      ...CALL,
      input: { call_id: LONG, sent: { from: 0, messages: [{ role: 'user', text: LONG }] } },
      result: { text: LONG, usage: { input: 3 } },
    };
    const cut = cutStep(step, 100, 8);
    expect(cut.cuts).toEqual([
      { at: ['input', 'call_id'], event: 7, length: 500 },
      { at: ['input', 'sent', 'messages', 0, 'text'], event: 8, length: 500 },
      { at: ['result', 'text'], event: 9, length: 500 },
    ]);
    expect(cut.result).toEqual({ text: 'x'.repeat(100), usage: { input: 3 } });
  });

  test('a payload that is stored separately is named with its event, and one that an agent wrote is none', () => {
    const reference = { ...payloadReference('0'.repeat(64), 5_242_880, 'model.call.messages') };
    const step = { ...CALL, input: { sent: reference }, result: { result: reference } };
    expect(cutStep(step, 100, 8)).toEqual({
      ...step,
      cuts: [{ at: ['input', 'sent'], event: 8, length: 5_242_880 }],
    });
  });

  test('the events of a step that has not ended are those of its start', () => {
    const noted = { ...CALL, finished_at: null, sequence_numbers: [7, 8], input: { text: LONG } };
    expect(cutStep(noted, 100, 8).cuts).toEqual([{ at: ['input', 'text'], event: 7, length: 500 }]);
  });

  test('a step without a long text stays as it is, and no cut splits a character', () => {
    const step = { ...CALL, result: { text: 'short', none: null, list: [1, true] } };
    expect(cutStep(step, 100, undefined)).toBe(step);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        (text, max) => {
          const shown = cutStep({ ...CALL, result: { text } }, max, undefined).result?.text;
          expect(text.startsWith(String(shown))).toBe(true);
          expect(String(shown).length).toBeLessThanOrEqual(max);
          expect(String(shown).isWellFormed()).toBe(true);
        },
      ),
    );
  });
});
