import { describe, expect, test } from '@jest/globals';
import { mutantsOf } from './mutants.js';
import { changesOf, solutionWith } from './testing/solutions.js';

const outputs = async (output: string) =>
  (await mutantsOf(solutionWith({ output }))).map(
    ({ operator, planted }) => `${operator}: ${planted().output}`,
  );

describe('mutants of outputs', () => {
  test.each([
    ['42', ['number: 43', 'number_scale: 420', 'number_sign: -42']],
    [
      'It is -7.25 °C',
      ['number: It is -8.25 °C', 'number_sign: It is 7.25 °C', 'number_scale: It is -72.5 °C'],
    ],
    ['1,999', ['number: 2,000', 'number_scale: 19,990']],
    ['Due 2024-02-28', ['date: Due 2024-02-27']],
    ['at 07:05', ['number: at 08:05', 'number: at 07:06']],
    ['B', ['word_replaced: C']],
    ['Paris', ['word_replaced: Other']],
    ['red apples', ['word_replaced: other apples', 'word_dropped: apples', 'word_dropped: red ']],
    ['Yes', ['opposite: No']],
    ['It is valid', ['negation: It is not valid', 'opposite: It is invalid']],
    ['It is not open', ['negation: It is open']],
    ['- a\n- b', ['lines_swapped: - b\n- a', 'line_dropped: - b', 'line_dropped: - a']],
    [
      '{"a": 1, "b": [true, "x"]}',
      [
        'number: {"a": 2, "b": [true, "x"]}',
        'member_dropped: {"b": [true, "x"]}',
        'member_dropped: {"a": 1}',
        'boolean: {"a": 1, "b": [false, "x"]}',
        'items_swapped: {"a": 1, "b": ["x", true]}',
        'item_dropped: {"a": 1, "b": ["x"]}',
        'word_replaced: {"a": 1, "b": [true, "y"]}',
      ],
    ],
  ])('%j has the mutants of its operators', async (output, changes) => {
    expect(await outputs(output)).toEqual(expect.arrayContaining(changes));
  });

  test('a long output loses its second half', async () => {
    const text = 'The quick brown fox jumps over the lazy dog, and then it rests.';
    expect(await outputs(text)).toContain(`truncated: ${text.slice(0, Math.floor(text.length / 2))}`);
  });

  test('the case of letters and single words of long texts are left alone, since good graders take both', async () => {
    const text = `The city of ${'very '.repeat(12)}great fame lies there`;
    expect((await outputs(text)).filter((change) => !change.startsWith('truncated'))).toEqual([]);
  });
});

describe('mutants of data files', () => {
  test('YAML loses members, and its values change', async () => {
    expect(await changesOf('a.yaml', 'port: 80\nname: web\nopen: true\n')).toEqual(
      expect.arrayContaining(['number: port: 81', 'boolean: open: false', 'member_dropped: ']),
    );
  });

  test('a table loses rows, and its values change', async () => {
    expect(await changesOf('a.csv', 'id,n\na,1\nb,2\n')).toEqual(
      expect.arrayContaining(['number: a,2', 'line_dropped: ', 'lines_swapped: b,2\na,1']),
    );
  });
});
