import { describe, expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

describe('list_match', () => {
  test.each([
    ['a,b,b', 'b,a', {}, 1],
    ['a\nb', 'a,b', {}, 1],
    ['a,b\nc', 'a,b', {}, 0],
    ['[1.0,{"b":1,"a":2}]', '["1","{\\"a\\":2,\\"b\\":1}"]', {}, 1],
    ['a;;b', '["a","b"]', { separator: ';' }, 1],
    ['a;b', 'a,b', { separator: ';' }, 0],
    ['b,a', 'a,b', { mode: 'ordered' }, 1 / 2],
    ['a,b,a', 'a,b,a', { mode: 'ordered' }, 1],
    ['Straße', 'STRASSE', { case_insensitive: true }, 1],
    [' , ', '[]', {}, 1],
  ])('the list %j against the list %j with %j has the score %d', (actual, expected, config, score) => {
    expect(judge('list_match', { actual, expected, config }).score).toBeCloseTo(score, 12);
  });
});

describe('csv_match', () => {
  const expected = 'id,name\n1,Ann\n2,Bob\n';

  test.each([
    ['id,name\n2,Bob\n1,Ann\n', {}, 0],
    ['id,name\n2,Bob\n1,Ann\n', { ignore_row_order: true }, 1],
    ['id,name\n1,Ann\n', {}, 1 / 2],
    ['id,name\n1,Ann\n2,Bob\n2,Bob\n', { ignore_row_order: true }, 2 / 3],
    ['name,id\nAnn,1\nBob,2\n', { ignore_column_order: true }, 1],
    ['id, name \n1, Ann\n2,Bob\n', {}, 1],
    ['id,name\n1, Ann\n2,Bob\n', { trim_cells: false }, 1 / 2],
    ['id,name\n1,Ann,\n2,Bob\n', {}, 1 / 2],
    ['id,name\n1,Ann\n2\n', {}, 1 / 2],
  ])('the table %j with %j has the score %d', (actual, config, score) => {
    expect(judge('csv_match', { actual, expected, config }).score).toBeCloseTo(score, 12);
  });

  test.each([
    ['name,id\nAnn,1\n', {}, 'header_mismatch'],
    ['id,nom\n1,Ann\n', { ignore_column_order: true }, 'header_mismatch'],
    ['id,name,age\n', {}, 'header_mismatch'],
    ['id,"name\n', {}, 'unparsable_output'],
    ['\n', {}, 'unparsable_output'],
  ])('the table %j with %j fails with the reason %s', (actual, config, reason) => {
    expect(judge('csv_match', { actual, expected, config })).toMatchObject({ score: 0, reason });
  });

  test('a ragged row equals nothing, not even itself', () => {
    const ragged = 'a,b\n1\n';
    expect(judge('csv_match', { actual: ragged, expected: ragged })).toMatchObject({ score: 0 });
  });

  test('columns of one name keep their order', () => {
    const config = { ignore_column_order: true };
    const columns = { expected: 'x,y,x\n1,2,3\n', config };
    expect(judge('csv_match', { actual: 'y,x,x\n2,1,3\n', ...columns })).toMatchObject({ score: 1 });
    expect(judge('csv_match', { actual: 'y,x,x\n2,3,1\n', ...columns })).toMatchObject({ score: 0 });
  });

  test('every line of a table without a header is a row', () => {
    const config = { header: false, delimiter: ';' };
    expect(judge('csv_match', { actual: '1;2\n3;4', expected: '1;2\n3;5', config })).toMatchObject({
      score: 0.5,
    });
  });
});
