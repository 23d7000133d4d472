import { expect, test } from '@jest/globals';
import { documentOf, isMet, quantile, tableOf } from './report.js';

test('the table has figures in columns, with the target where there is one', () => {
  const table = tableOf([
    { key: 'race_seconds', name: 'race', value: 61.234, unit: 's', target: 90 },
    { key: 'attempts_per_second', name: 'attempts', value: 5.35, unit: '1/s', target: 4 },
    { key: 'passed', name: 'passed by canonical', value: 164, unit: '' },
  ]);
  expect(table.split('\n')).toEqual([
    'race                  61.23 s  at most 90 s: met',
    'attempts             5.35 1/s  at least 4 1/s: met',
    'passed by canonical       164',
  ]);
});

test.each([
  [{ value: 89, unit: 's', target: 90 }, true],
  [{ value: 91, unit: 's', target: 90 }, false],
  [{ value: 4, unit: '1/s', target: 4 }, true],
  [{ value: 3.9, unit: '1/s', target: 4 }, false],
  [{ value: 1.9, unit: '×', target: 2, isAtLeast: true }, false],
  [{ value: 1, unit: 's' }, undefined],
] as const)('a target is the most of a cost and the least of a rate: %j', (figure, met) => {
  expect(isMet({ key: 'k', name: 'n', ...figure })).toBe(met);
});

test('the JSON document marks every target as met or missed', () => {
  const figures = [
    { key: 'race_seconds', name: 'race', value: 91, unit: 's', target: 90 },
    { key: 'attempts', name: 'attempts', value: 7, unit: '' },
  ] as const;
  expect(documentOf({ humaneval: figures }).benches).toEqual({
    humaneval: {
      race_seconds: { value: 91, unit: 's', target: 90, met: false },
      attempts: { value: 7, unit: '' },
    },
  });
});

test('figures of a quick run are held to no target, and the document marks them as quick', () => {
  const figures = [{ key: 'race_seconds', name: 'race', value: 91, unit: 's', target: 90 }] as const;
  expect(tableOf(figures, { isQuick: true })).toBe('race  91.00 s');
  const document = documentOf({ humaneval: figures }, { isQuick: true });
  expect(document).toHaveProperty('quick', true);
  expect(document.benches).toEqual({ humaneval: { race_seconds: { value: 91, unit: 's' } } });
  expect(documentOf({})).not.toHaveProperty('quick');
});

test('a figure by another Node.js than that of the bench names its version', () => {
  const figures = [{ key: 'rate', name: 'rate', value: 2, unit: '×', node: 'v24.21.0' }] as const;
  expect(tableOf(figures)).toBe('rate, Node.js v24.21.0  2.00 ×');
  expect(documentOf({ promptfoo: figures }).benches).toEqual({
    promptfoo: { rate: { value: 2, unit: '×', node: 'v24.21.0' } },
  });
});

test('a quantile is the least value that so many do not exceed', () => {
  const values = [5, 1, 4, 2, 3];
  expect([0, 0.5, 0.8, 0.81, 1].map((share) => quantile(values, share))).toEqual([1, 3, 4, 5, 5]);
  expect(quantile([7], 0.95)).toBe(7);
  expect(quantile([], 0.5)).toBeNaN();
});
