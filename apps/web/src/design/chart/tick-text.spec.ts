import { expect, test } from '@jest/globals';
import { scaleLinear, scaleLog } from 'd3-scale';
import fc from 'fast-check';
import { costTick, durationTick } from './tick-text.js';

test('the ticks of small costs and times have enough digits to differ', () => {
  expect([0, 0.005, 0.01, 0.015].map(costTick)).toEqual(['$0', '$0.005', '$0.01', '$0.015']);
  expect([0, 0.5, 1, 1_500].map(durationTick)).toEqual(['0 ms', '0.5 ms', '1 ms', '1.5 s']);
  expect([0.1 + 0.2, 1e-7, 12_000].map(costTick)).toEqual(['$0.3', '$0.0000001', '$12000']);
  expect(durationTick(90_000)).toBe('1 m 30 s');
});

test('no two ticks of an axis have the same text', () => {
  const largest = fc.double({ min: 1e-6, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(largest, fc.double({ min: 10, max: 1e6, noNaN: true }), (value, ratio) => {
      const axes = [scaleLinear([0, value], [0, 1]).nice(), scaleLog([value / ratio, value], [0, 1])];
      for (const text of [costTick, durationTick]) {
        for (const axis of axes) {
          const texts = axis.ticks(4).map(text);
          expect(new Set(texts).size).toBe(texts.length);
        }
      }
    }),
  );
});
