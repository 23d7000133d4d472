import { RuntimeProfileSpec } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { readSpec } from './read-spec.js';

describe('a spec as somebody wrote it', () => {
  test('is read as the server will read it', () => {
    expect(readSpec(RuntimeProfileSpec, '{"name": " short ", "max_iterations": 5}')).toEqual({
      spec: { name: 'short', max_iterations: 5 },
    });
  });

  test('has all its problems told at once, by field', () => {
    const reading = readSpec(RuntimeProfileSpec, '{"name": "", "max_iterations": 0, "speed": 9}');
    expect(reading).toMatchObject({
      problems: [
        expect.stringContaining('name: '),
        expect.stringContaining('max_iterations: '),
        expect.stringContaining('speed'),
      ],
    });
  });

  test.each(['', '{', 'null', '[]', '"x"'])('that is no object is refused: %s', (text) => {
    expect(readSpec(RuntimeProfileSpec, text)).toHaveProperty('problems');
  });

  test('takes in what is kept apart from it', () => {
    const reading = readSpec(RuntimeProfileSpec, '{"name": "a"}', { max_iterations: 7 });
    expect(reading).toEqual({ spec: { name: 'a', max_iterations: 7 } });
  });
});
