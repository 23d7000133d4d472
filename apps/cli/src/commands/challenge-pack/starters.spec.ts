import { readPack } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { type StarterKind, starterPack } from './starters.js';

describe('a starter pack', () => {
  test.each<StarterKind>(['native', 'responses', 'prompt_eval', 'multi_turn'])(
    'of kind %s validates without a warning',
    (kind) => {
      const { problems, summary } = readPack(starterPack(kind, 'my-pack'));
      expect(problems).toEqual([]);
      expect(summary).toMatchObject({ slug: 'my-pack', number: 1, execution_mode: kind, input_sets: 1 });
    },
  );

  test('names in its first line the schema that init writes beside it', () => {
    expect(starterPack('native', 'x')).toMatch(
      /^# yaml-language-server: \$schema=\.\/challenge-pack\.schema\.json\n/,
    );
  });
});
