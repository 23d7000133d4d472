import { expect, test } from '@jest/globals';
import { tableOf } from './report.js';

test('figures stand in columns, with the target where there is one', () => {
  const table = tableOf([
    { key: 'race_seconds', name: 'race', value: 61.234, unit: 's', target: 90 },
    { key: 'attempts_per_second', name: 'attempts', value: 5.35, unit: '1/s', target: 4 },
    { key: 'passed', name: 'passed by canonical', value: 164, unit: '' },
  ]);
  expect(table.split('\n')).toEqual([
    'race                  61.23 s  at most 90 s',
    'attempts             5.35 1/s  at least 4 1/s',
    'passed by canonical       164',
  ]);
});
