import { describe, expect, test } from '@jest/globals';
import { DEVIATIONS } from '../testing/json-schema-suite/deviations.js';
import { runSuite } from '../testing/json-schema-suite/verdicts.js';

const verdicts = runSuite();

function countBy<T>(items: readonly T[], key: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
}

describe('the JSON Schema Test Suite', () => {
  test.each([
    ['draft2020-12', { as_expected: 1229, schema_refused: 53, false_fail: 19 }],
    ['draft2020-12/optional', { as_expected: 147, schema_refused: 5, false_fail: 5, false_pass: 5 }],
    ['draft2020-12/optional/format', { as_expected: 877, false_fail: 4, false_pass: 4 }],
    ['draft7', { as_expected: 902, schema_refused: 27 }],
    ['draft7/optional', { as_expected: 102, schema_refused: 2, false_fail: 5, false_pass: 9 }],
    ['draft7/optional/format', { as_expected: 796, false_fail: 4, false_pass: 4 }],
  ])('the tests of %s have exactly these outcomes: %j', (set, counts) => {
    const inSet = verdicts.filter((verdict) => verdict.set === set);
    expect(countBy(inSet, ({ outcome }) => outcome)).toEqual(counts);
  });

  test('every other outcome is a listed deviation with a reason, and every listed one occurs', () => {
    const location = ({ set, file, group, outcome }: (typeof verdicts)[number]) =>
      `${outcome} ${set}/${file} ${group}`;
    const listed = DEVIATIONS.flatMap(({ file, outcome, groups }) =>
      Object.entries(groups).map(([group, count]) => [`${outcome} ${file} ${group}`, count] as const),
    );
    const deviating = verdicts.filter(({ outcome }) => outcome !== 'as_expected');
    expect(countBy(deviating, location)).toEqual(Object.fromEntries(listed));
    expect(DEVIATIONS.filter(({ reason }) => reason.length < 40)).toEqual([]);
  });

  test('false passes come only from RE2 instead of ECMA-262 and from content that is not decoded', () => {
    const falsePasses = verdicts.filter(({ outcome }) => outcome === 'false_pass');
    expect(new Set(falsePasses.map(({ file }) => file))).toEqual(
      new Set(['ecmascript-regex.json', 'content.json']),
    );
  });
});
