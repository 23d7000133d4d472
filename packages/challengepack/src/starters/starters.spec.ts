import { describe, expect, test } from '@jest/globals';
import { readPack } from '../read/read-pack.js';
import { type StarterKind, slugOf, starterPack, starterText } from './starters.js';

describe('a starter pack', () => {
  test.each<StarterKind>(['native', 'responses', 'prompt_eval', 'multi_turn'])(
    'a starter pack of kind %s validates without a warning',
    (kind) => {
      const { problems, summary } = readPack(starterPack(kind, 'my-pack'));
      expect(problems).toEqual([]);
      expect(summary).toMatchObject({ slug: 'my-pack', number: 1, execution_mode: kind, input_sets: 1 });
    },
  );

  test('a starter pack has cases with different expected values, so that no agent passes with one reply', () => {
    const { pack } = readPack(starterPack('native', 'x'));
    const sums = pack?.input_sets[0]?.cases?.map(({ expectations }) => expectations?.[0]?.value);
    expect(sums).toEqual([6, -3]);
  });

  test('a starter pack shows inputs, an expectation from an input, and the layout of files', () => {
    const { pack } = readPack(starterPack('prompt_eval', 'x'));
    expect(pack?.input_sets[0]?.cases?.[0]).toMatchObject({
      inputs: [{ key: 'country', kind: 'text', value: 'France' }],
      expectations: [{ key: 'capital' }, { key: 'country', source: 'input:country' }],
    });
    const withFiles = starterPack('native', 'x').replaceAll(/^ {6}# (?!The style)/gm, '      ');
    const { problems, summary } = readPack(withFiles, { fileExists: () => true });
    expect(problems).toEqual([]);
    expect(summary.cases).toBe(3);
  });

  test.each<StarterKind>(['native', 'responses', 'prompt_eval', 'multi_turn'])(
    'a starter pack of kind %s describes its input set',
    (kind) => {
      const { pack } = readPack(starterPack(kind, 'x'));
      expect(pack?.input_sets[0]?.description).toEqual(expect.stringMatching(/\w/));
    },
  );

  test('a starter pack names in its first line the schema that init writes beside it', () => {
    expect(starterPack('native', 'x')).toMatch(
      /^# yaml-language-server: \$schema=\.\/challenge-pack\.schema\.json\n/,
    );
    expect(`${starterPack('native', 'x').split('\n', 1)[0]}\n${starterText('native', 'x')}`).toBe(
      starterPack('native', 'x'),
    );
  });

  test.each([
    ['Sum the numbers', 'sum-the-numbers'],
    ['  Ünïcode & more! ', 'unicode-more'],
    ['東京', 'starter'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('the slug of a pack named %j is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
    expect(readPack(starterText('native', slug)).valid).toBe(true);
  });
});
