import { type Manifest, readEvaluationSpec } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { assetsInScope, assetsWithText, caseEvidence, type StoredCaseView } from './case-evidence.js';

const manifest = {
  schema_version: 1,
  pack: { slug: 'p', name: 'P', family: 'f' },
  version: {
    number: 1,
    execution_mode: 'native',
    assets: [
      { key: 'rules', path: 'version/rules.md', artifact_id: 'v-rules' },
      { key: 'gold', path: 'version/gold.txt', artifact_id: 'v-gold' },
    ],
  },
  challenges: [
    {
      key: 'c',
      title: 'C',
      category: 'x',
      difficulty: 'easy',
      definition: {},
      assets: [{ key: 'gold', path: 'challenge/gold.txt', artifact_id: 'c-gold' }],
    },
  ],
  input_sets: [],
} as unknown as Manifest;

const stored = (kind: 'payload' | 'case_document', document: StoredCaseView['document']): StoredCaseView => ({
  challenge_key: 'c',
  kind,
  document,
});

describe('the evidence of a stored case', () => {
  test('a payload-only case is its payload, whatever its keys', () => {
    const each = stored('payload', { schema_version: 1, expectations: 'just a word' });
    expect(caseEvidence(each, [], new Map())).toEqual({
      payload: { schema_version: 1, expectations: 'just a word' },
      inputs: {},
      expectations: {},
      artifacts: {},
    });
  });

  test('the entries of a case are given by key', () => {
    const each = stored('case_document', {
      schema_version: 1,
      case_key: 'k',
      inputs: [{ key: 'q', kind: 'text', value: 'Why?' }],
      expectations: [{ key: 'a', kind: 'text', source: 'input:q' }],
    });
    expect(caseEvidence(each, [], new Map())).toMatchObject({
      inputs: { q: { kind: 'text', value: 'Why?' } },
      expectations: { a: { kind: 'text', source: 'input:q' } },
    });
  });

  test('the nearest asset of a key is found, with the text of its file, or null for one that is not UTF-8', () => {
    const each = stored('case_document', {
      schema_version: 1,
      case_key: 'k',
      assets: [{ key: 'notes', path: 'case/notes.txt' }],
    });
    const assets = assetsInScope(manifest, each);
    const texts = new Map([
      ['c-gold', 'the solution'],
      ['v-rules', null],
    ]);
    expect(caseEvidence(each, assets, texts).artifacts).toEqual({
      notes: { key: 'notes', path: 'case/notes.txt' },
      gold: { key: 'gold', path: 'challenge/gold.txt', content: 'the solution' },
      rules: { key: 'rules', path: 'version/rules.md', content: null },
    });
  });

  test('the content of files that only graders in code and solutions use is not read', () => {
    const coded = {
      ...manifest,
      version: { ...manifest.version, grader_files: [{ artifact_key: 'rules' }] },
      evaluation_spec: {
        ...{ name: 's', version_number: 1, judge_mode: 'deterministic' },
        validators: [{ key: 'v', type: 'script', target: 'evidence', config: { artifact_key: 'gold' } }],
        scorecard: { dimensions: ['correctness'] },
      },
    } as unknown as Manifest;
    const keys = (document: object, of = coded) => {
      const each = stored('case_document', { schema_version: 1, case_key: 'k', ...document });
      const spec = readEvaluationSpec(of.evaluation_spec);
      return assetsWithText({ manifest: of, spec }, each, assetsInScope(of, each)).map(({ key }) => key);
    };
    const assets = [
      { key: 'tests', path: 't', artifact_id: 'c-tests' },
      { key: 'own', path: 'o', artifact_id: 'c-own' },
    ];
    const files = { assets, grader_files: [{ artifact_key: 'tests' }] };
    expect(keys(files)).toEqual(['own']);
    expect(keys({ ...files, solution: { files: [{ path: 'o', asset: 'own' }] } })).toEqual([]);
    expect(keys({ ...files, expectations: [{ key: 'a', kind: 'text', source: 'artifact:tests' }] })).toEqual([
      'tests',
      'own',
    ]);
    const { scorecard: _, ...rest } = coded.evaluation_spec;
    const validators = [
      { key: 'w', type: 'contains', target: 'final_output', expected_from: 'artifact.rules' },
    ];
    const reading = {
      ...coded,
      evaluation_spec: { ...rest, validators, scorecard: { dimensions: ['correctness'] } },
    };
    expect(keys(files, reading).toSorted()).toEqual(['gold', 'own', 'rules']);
  });
});
