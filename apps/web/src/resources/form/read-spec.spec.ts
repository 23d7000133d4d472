import { RuntimeProfileSpec } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { readSpec, warningsOf } from './read-spec.js';

describe('a spec as it was typed', () => {
  test('a typed spec is read as the server will read it', async () => {
    expect(await readSpec(RuntimeProfileSpec, '{"name": " short ", "max_iterations": 5}')).toEqual({
      spec: { name: 'short', max_iterations: 5 },
    });
  });

  test('a typed spec reports all its problems at once, by field', async () => {
    const reading = await readSpec(RuntimeProfileSpec, '{"name": "", "max_iterations": 0, "speed": 9}');
    expect(reading).toMatchObject({
      problems: [
        { field: 'name', message: expect.any(String) },
        { field: 'max_iterations', message: expect.any(String) },
        { field: '', message: expect.stringContaining('speed') },
      ],
    });
  });

  test.each(['', '{', 'null', '[]', '"x"'])('a typed spec that is no object is refused: %s', async (text) => {
    expect(await readSpec(RuntimeProfileSpec, text)).toHaveProperty('problems');
  });

  test('a typed spec may be YAML', async () => {
    expect(await readSpec(RuntimeProfileSpec, 'name: short # for tests\nmax_iterations: 5\n')).toEqual({
      spec: { name: 'short', max_iterations: 5 },
    });
  });

  test.each([
    ['{"name": "a" "b"}', 'Invalid JSON: '],
    ['name: a: b', 'Invalid YAML: '],
    ['name: a\n---\nname: b', 'A spec is a single document'],
    ['just words', 'Invalid input'],
  ])('a typed spec that cannot be parsed reports the problem of its format: %j', async (text, problem) => {
    const reading = await readSpec(RuntimeProfileSpec, text);
    const message = expect.stringMatching(new RegExp(`^${problem}.*[^:]$`));
    expect(reading).toEqual({ problems: [{ field: '', message }] });
  });

  test('a typed spec includes the fields that are kept apart from it', async () => {
    const reading = await readSpec(RuntimeProfileSpec, '{"name": "a"}', { max_iterations: 7 });
    expect(reading).toEqual({ spec: { name: 'a', max_iterations: 7 } });
  });
});

test('warnings of what was saved are shown, if there are any', () => {
  const warnings = [{ code: 'secret_unbound', message: 'the secret K is bound to no origin' }];
  expect(warningsOf({ id: '1', warnings })).toEqual(['secret_unbound: the secret K is bound to no origin']);
  expect(warningsOf({ id: '1' })).toEqual([]);
  expect(warningsOf(undefined)).toEqual([]);
});
