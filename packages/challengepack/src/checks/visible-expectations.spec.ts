import { describe, expect, test } from '@jest/globals';
import { problemsIn, set } from '../testing/example-pack.js';

const EXPECTED_FROM = 'version.evaluation_spec.validators[0].expected_from';

interface CaseParts {
  payload?: object;
  inputs?: object[];
  expected?: unknown;
  more?: object;
}

const caseOf = ({ payload = {}, inputs = [], expected = 'Lima', more = {} }: CaseParts, index: number) => ({
  ...{ challenge_key: 'c1', case_key: `k${index}`, payload: { id: `row ${index}`, ...payload }, inputs },
  expectations: [{ key: 'result', kind: 'text', value: expected }],
  ...more,
});

/** The findings in a pack with these cases, as `field code: message`. */
function findings(cases: readonly CaseParts[], more: Parameters<typeof problemsIn>[0] = []): string[] {
  const list = cases.map(caseOf);
  return problemsIn([set('input_sets[0].cases', list), ...more]).map(
    ({ field, code, severity, message }) => `${severity} ${field} ${code}: ${message}`,
  );
}

const instructions = (text: string) => [set('challenges[0].instructions', text)];

describe('the agent does not see what is expected of it', () => {
  test('a member of the payload that equals the expected text in every case is reported once', () => {
    const shown = (expected: string) => ({ payload: { row: { city: expected } }, expected });
    expect(findings([shown('Lima'), shown('Oslo'), shown('Rome')])).toEqual([
      `warning ${EXPECTED_FROM} visible_expectation: agents see it as case.payload.row.city in all 3 cases: leave that out`,
    ]);
    expect(findings([shown('Lima'), shown('Oslo'), { payload: { row: { city: 'Paris' } } }])).toEqual([]);
  });

  test('a member that equals the expected text in nearly every case is reported with its count', () => {
    const rows = (differing: number) =>
      Array.from({ length: 20 }, (_, index) => {
        const expected = `city ${index}`;
        return { payload: { city: index < differing ? 'unknown' : expected }, expected };
      });
    expect(findings(rows(2))).toEqual([
      `warning ${EXPECTED_FROM} visible_expectation: agents see it as case.payload.city in 18 of 20 cases: leave that out`,
    ]);
    expect(findings(rows(3))).toEqual([]);
  });

  test('a file of the workspace that holds the expected output is reported', () => {
    const shown = (expected: string) => ({
      payload: { workspace_files: [{ path: 'notes/key.txt', content: `${expected}\n` }] },
      expected,
    });
    const native = set('version.execution_mode', 'native');
    expect(findings([shown('Lima'), shown('Oslo')], [native])).toEqual([
      `warning ${EXPECTED_FROM} visible_expectation: agents see it as the file notes/key.txt in all 2 cases: leave that out`,
    ]);
    const captured = [
      native,
      set('version.evaluation_spec.post_execution_checks', [
        { key: 'key', type: 'file_capture', path: 'key.txt' },
      ]),
      set('version.evaluation_spec.validators[0].target', 'file:key'),
    ];
    expect(findings([shown('Lima'), shown('Oslo')], captured)).toEqual([]);
  });

  test('a text that an output must not be may be seen, and may be the same in all cases', () => {
    const shown = { payload: { city: 'the city of Lima' }, expected: 'the city of Lima' };
    const inverse = set('version.evaluation_spec.validators[0].expect', false);
    expect(
      findings(
        [shown, shown, shown].map((each, n) => ({ ...each, payload: { ...each.payload, n } })),
        [inverse],
      ),
    ).toEqual([]);
  });

  test('an input that equals the expected text of the only case is reported, unless it is short', () => {
    const shown = (value: string) => ({ inputs: [{ key: 'hint', kind: 'text', value }], expected: value });
    expect(findings([shown('the city of Lima')])).toEqual([
      `warning ${EXPECTED_FROM} visible_expectation: agents see it as case.inputs.hint: leave that out`,
    ]);
    expect(findings([shown('Lima')])).toEqual([]);
  });

  test('a validator that compares with a part of what agents see is reported', () => {
    const reference = [set(EXPECTED_FROM, 'case.payload.id')];
    expect(findings([{}], reference)).toEqual([
      `warning ${EXPECTED_FROM} visible_expectation: agents see case.payload.id: put what is expected into expectations`,
    ]);
  });

  test('an example in the instructions that a case expects is reported, a list of all is not', () => {
    const cities = ['Lima', 'Oslo', 'Rome'].map((expected) => ({ expected }));
    const [finding, ...others] = findings(cities, instructions('Name the capital. Peru: Lima.'));
    expect(finding).toBe(
      'warning challenges[0].instructions visible_expectation: they contain "Lima", which case.expectations.result expects of a case',
    );
    expect(others).toEqual([]);
    expect(findings(cities, instructions('One of Lima, Oslo, Rome.'))).toEqual([]);
    expect(findings(cities, instructions('Limassol is no capital.'))).toEqual([]);
  });

  test('an asset that is expected and given is reported', () => {
    const expectations = [{ key: 'result', kind: 'file', artifact_key: 'gold' }];
    const assets = set('version.assets', [{ key: 'gold', path: 'gold.txt' }]);
    const given = { more: { expectations, artifacts: [{ key: 'gold' }] } };
    const native = set('version.execution_mode', 'native');
    expect(findings([given], [assets, native])).toEqual([
      'warning input_sets[0].cases[0].expectations[0].artifact_key visible_expectation: the agent gets the asset "gold" as a file of its workspace, too',
    ]);
    expect(findings([{ more: { expectations } }], [assets, native])).toEqual([]);
  });
});

test('cases that all expect the same text are reported, from three on', () => {
  expect(findings([{}, {}, {}])).toEqual([
    `warning ${EXPECTED_FROM} same_expectation: all 3 cases expect "Lima": an agent that always gives it passes them`,
  ]);
  expect(findings([{}, {}])).toEqual([]);
  expect(findings([{}, {}, { expected: 'Oslo' }])).toEqual([]);
});

test('a literal that alone decides about all cases is reported, beside other validators not', () => {
  const literal = set(EXPECTED_FROM, 'literal:DONE');
  expect(findings([{}, {}, {}], [literal])).toEqual([
    `warning ${EXPECTED_FROM} same_expectation: all 3 cases expect "DONE": an agent that always gives it passes them`,
  ]);
  expect(findings([{}, {}], [literal])).toEqual([]);
  const other = { key: 'n', type: 'numeric_match', target: 'final_output', expected_from: 'case.payload.n' };
  const cases = [1, 2, 3].map((n) => ({ payload: { n: `${n}`, id: `${n} rows` }, expected: `${n}` }));
  expect(
    findings(cases, [
      literal,
      set('version.evaluation_spec.validators[1]', { ...other, expected_from: 'case.expectations.result' }),
    ]).filter((text) => text.includes('same_expectation')),
  ).toEqual([]);
});

describe('cases of a set are different', () => {
  const same = (expected: unknown) => ({ payload: { id: 'same' }, expected });

  test('a case that repeats an earlier one is reported with its place, and further ones are counted', () => {
    expect(findings([same('a'), same('a'), { expected: 'b' }, same('a')])).toEqual([
      'warning input_sets[0].cases[1] repeated_case: gives the agent the same as "k0" and expects the same, as one more case of this set does: leave it out, or repeat the whole run (--repetitions)',
    ]);
  });

  test('cases that give the same and expect something else contradict each other', () => {
    expect(findings([same('a'), same('b')])).toEqual([
      'warning input_sets[0].cases[1] contradicting_cases: gives the agent the same as "k0" and expects something else: an agent that acts alike on both cannot pass both',
    ]);
  });

  test('cases of different sets are not compared', () => {
    const sets = ['one', 'two'].map((key) => ({ key, name: key, cases: [caseOf(same('a'), 0)] }));
    expect(problemsIn([set('input_sets', sets)])).toEqual([]);
  });
});
