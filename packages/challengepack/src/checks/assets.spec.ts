import { describe, expect, test } from '@jest/globals';
import { append, findingsIn, set } from '../testing/example-pack.js';

const CASE = 'input_sets[0].cases[0]';
const ID = '7B0C2C52-6a0e-4a5e-9f0e-0d5c2f6f1a11';
const asset = (key: string, more: object = {}) => ({ key, path: `${key}.txt`, ...more });

describe('references to assets', () => {
  test('a challenge does not see the assets of its cases', () => {
    expect(
      findingsIn([set(`${CASE}.assets`, [asset('a')]), set('challenges[0].artifact_refs', [{ key: 'a' }])]),
    ).toEqual(['challenges[0].artifact_refs[0].key unknown_reference', `${CASE}.assets[0].key unused_asset`]);
  });

  test('the nearest of several assets is used, and the others are not', () => {
    expect(
      findingsIn([
        set('version.assets', [asset('a')]),
        set('challenges[0].assets', [asset('a')]),
        set(`${CASE}.artifacts`, [{ key: 'a' }]),
      ]),
    ).toEqual(['version.assets[0].key unused_asset']);
  });

  test('a reference is not called unknown where a declaration could not be read', () => {
    expect(
      findingsIn([
        set('version.assets', [{ key: ['a'], path: 'a' }]),
        set(`${CASE}.artifacts`, [{ key: 'a' }]),
      ]),
    ).toEqual(['version.assets[0].key type_mismatch']);
  });

  test('the evaluation spec uses an asset by naming it', () => {
    const target = (text: string) =>
      findingsIn([
        set('version.assets', [asset('a.b')]),
        set('version.evaluation_spec.validators[0].expected_from', text),
      ]).filter((finding) => finding.endsWith('unused_asset'));
    expect(target('artifact.a.b')).toEqual([]);
    expect(target('artifact.a.b.path')).toEqual([]);
    expect(target('artifact.a.bc')).toHaveLength(1);
  });

  test('an asset listed twice is neither unused nor resolved to twice', () => {
    expect(
      findingsIn([set('version.assets', [asset('a'), asset('a')]), set(`${CASE}.artifacts`, [{ key: 'a' }])]),
    ).toEqual(['version.assets[1].key not_unique']);
  });

  test.each([
    ['input:prompt', []],
    ['input: prompt ', []],
    ['artifact:a', []],
    ['Artifact:a', ['malformed']],
    ['artifact:', ['malformed']],
    ['prompt', ['malformed']],
    ['input:a', ['unknown_reference']],
  ])('the source %j of an expectation has the problems %j', (source, codes) => {
    const found = findingsIn([
      set('version.assets', [asset('a')]),
      set(`${CASE}.artifacts`, [{ key: 'a' }]),
      set(`${CASE}.expectations[0].source`, source),
    ]);
    expect(found).toEqual(codes.map((code) => `${CASE}.expectations[0].source ${code}`));
  });
});

describe('the bytes of assets', () => {
  const knows = { artifactExists: (id: string) => id === ID.toLowerCase(), fileExists: () => false };

  test('every artifact id must exist, used or not', () => {
    const other = '00000000-0000-0000-0000-000000000000';
    expect(findingsIn([set('version.assets', [asset('a', { artifact_id: other })])], knows)).toEqual([
      'version.assets[0].key unused_asset',
      'version.assets[0].artifact_id artifact_not_found',
    ]);
    const used = [
      set('version.assets', [asset('a', { artifact_id: ID })]),
      set(`${CASE}.artifacts`, [{ key: 'a' }]),
    ];
    expect(findingsIn(used, knows)).toEqual([]);
  });

  test('only a file that something refers to must lie beside the pack', () => {
    expect(findingsIn([set('version.assets', [asset('a')])], knows)).toEqual([
      'version.assets[0].key unused_asset',
    ]);
    expect(
      findingsIn(
        [
          set('version.assets', [asset('a')]),
          append(`${CASE}.expectations`, { key: 'e', kind: 'f', artifact_key: 'a' }),
        ],
        knows,
      ),
    ).toEqual(['version.assets[0].path artifact_not_found']);
  });
});
