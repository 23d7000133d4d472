import {
  type CaseText,
  canonicalJson,
  manifestOf,
  openPack,
  readCaseFile,
  readPack,
  storedCases,
} from '@agentclash/challengepack';
import { readRows } from '@agentclash/rows';
import { expect, test } from '@jest/globals';
import { inputSetWith, type RowCase } from './input-set.js';

const casesOf = (count: number): RowCase[] =>
  Array.from({ length: count }, (_each, index) => ({
    case_key: `case-${index}`,
    challenge_key: 'reply',
    payload: {
      prompt: `Question ${index}? "{{row.x}}" é\n${'x'.repeat(100)}`,
      workspace_files: [{ path: `f${index}`, content: '1' }],
    },
    expectations: { reply: `reply ${index}`, pattern: '' },
  }));

const document = (set: object) =>
  JSON.stringify({
    pack: { slug: 'many', name: 'Many', family: 'tests' },
    version: {
      number: 1,
      execution_mode: 'native',
      evaluation_spec: {
        name: 'many',
        version_number: 1,
        judge_mode: 'deterministic',
        validators: [
          {
            key: 'same',
            type: 'exact_match',
            target: 'final_output',
            expected_from: 'case.expectations.reply',
          },
        ],
        scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
      },
    },
    challenges: [
      { key: 'reply', title: 'Reply', category: 'c', difficulty: 'easy', instructions: '{{prompt}}' },
    ],
    input_sets: [set],
  });

test('few cases are in the document, and many are the rows of a file beside it with the same stored form', async () => {
  const few = inputSetWith('default', casesOf(3));
  expect(few.files.size).toBe(0);
  expect(few.set.cases).toHaveLength(3);

  const cases = casesOf(500);
  const { set, files } = inputSetWith('default', cases);
  const text = document(set);
  expect(text.length).toBeLessThan(2_000);
  const [[path, content] = ['', '']] = files;
  const bytes = Buffer.from(content);
  const source = {
    bytes: bytes.length,
    stream: async function* () {
      yield bytes;
    },
    slice: async () => new ArrayBuffer(0),
  };
  const pack = openPack(text, { fileExists: (name) => name === path });
  const stored: CaseText[] = [];
  for (const file of pack.files) {
    const open = () => readRows(source, { format: 'jsonl', columns: file.columns });
    await readCaseFile(file, open, (batch) => void stored.push(...batch));
  }
  expect(pack.end().problems).toEqual([]);

  const inlineCases = cases.map(({ expectations, ...each }) => ({
    ...each,
    expectations: Object.entries(expectations).map(([key, value]) => ({ key, kind: 'text', value })),
  }));
  const { pack: inline } = readPack(document({ key: 'default', name: 'Default', cases: inlineCases }));
  if (inline === undefined) throw new Error('the pack is not valid');
  expect(stored.map((each) => each.document)).toEqual(
    storedCases(manifestOf(inline)).map((each) => canonicalJson(each.document)),
  );
});
