import { describe, expect, test } from '@jest/globals';
import type { Case, Manifest } from '../pack/model.js';
import { readPack } from '../read/read-pack.js';
import { EXAMPLE, manifestWith, set } from '../testing/example-pack.js';
import { RICH_EXAMPLE } from '../testing/rich-example.js';
import type { Patch } from '../testing/vectors/patch.js';
import { agentView } from './agent-view.js';
import { buildContext } from './build-context.js';
import { digestOf } from './digest.js';
import { graderFiles } from './grader-files.js';
import { manifestOf } from './manifest.js';
import { type ResolvedSolution, SolutionError, solutionOf } from './solution.js';
import { stagedFiles } from './staged-files.js';
import { readStoredCase, storedCases } from './stored-cases.js';

const CHALLENGE = 'challenges[0].solution';
const CASE = 'input_sets[0].cases[0]';
const gold = { key: 'gold', path: 'gold.txt' };

/** The first case as an orchestrator reads it. */
function storedCase(manifest: Manifest): Case {
  const [row] = storedCases(manifest);
  if (!row) throw new Error('the pack has no case');
  return readStoredCase(JSON.parse(JSON.stringify(row)));
}

function solutionWith(...patches: Patch[]): ResolvedSolution | undefined {
  const manifest = manifestWith(...patches);
  return solutionOf(manifest, storedCase(manifest));
}

describe('the solution of a case', () => {
  test('a case without a solution has none', () => {
    expect(solutionWith()).toBeUndefined();
  });

  test('the solution of a challenge is filled with the values of each of its cases', () => {
    const content = 'topic = "{{case.payload.topic}}" # {{kept}}';
    expect(
      solutionWith(
        set('version.assets', [gold]),
        set(CHALLENGE, {
          files: [
            { path: 'a.py', content },
            { path: '/solution/b', asset: 'gold', executable: true },
          ],
          run: 'python3 a.py',
          environment: { A: '1' },
          answer: '{{case.inputs.prompt}} and {{case.expectations.result}}',
        }),
      ),
    ).toEqual({
      files: [
        { path: 'a.py', content: 'topic = "greeting" # {{kept}}', executable: false },
        { path: '/solution/b', asset: gold, executable: true },
      ],
      run: 'python3 a.py',
      timeout_seconds: 300,
      environment: { A: '1' },
      answer: { content: 'hello and hello' },
    });
  });

  test('the solution of a case wins as a whole', () => {
    const solution = solutionWith(
      set(CHALLENGE, { run: 'true', timeout_seconds: 9, answer: 'a' }),
      set(`${CASE}.solution`, { answer: 'b' }),
    );
    expect(solution).toEqual({ files: [], timeout_seconds: 300, environment: {}, answer: { content: 'b' } });
  });

  test('an answer is what the expectation has, as validators read it', () => {
    const answer = (value: unknown) =>
      solutionWith(
        set(`${CASE}.expectations`, [{ key: 'result', kind: 'json', value }]),
        set(CHALLENGE, { answer_from: 'case.expectations.result' }),
      )?.answer;
    expect(answer('{{case.payload.topic}}')).toEqual({ content: '{{case.payload.topic}}' });
    expect(answer(42)).toEqual({ content: '42' });
    expect(answer({ a: [1, 2] })).toEqual({ content: '{"a":[1,2]}' });
  });

  test('an answer that is in a file is the asset of that file, wherever the case names it', () => {
    for (const entry of [{ artifact_key: 'gold' }, { source: 'artifact:gold' }]) {
      for (const answer of [{ answer_from: 'case.expectations.result' }, { answer: '{{artifact.gold}}' }]) {
        const solution = solutionWith(
          set('challenges[0].assets', [gold]),
          set(`${CASE}.expectations`, [{ key: 'result', kind: 'text', ...entry }]),
          set(CHALLENGE, answer),
        );
        expect(solution?.answer).toEqual({ asset: gold });
      }
    }
  });

  test('an asset of the case wins over one of the same key further out', () => {
    const own = { key: 'gold', path: 'own.txt' };
    const solution = solutionWith(
      set('version.assets', [gold]),
      set('version.grader_files', [{ artifact_key: 'gold' }]),
      set(`${CASE}.assets`, [own]),
      set(CHALLENGE, { answer_from: 'artifact.gold' }),
      set(`${CASE}.solution`, { files: [{ path: 'x', asset: 'gold' }] }),
    );
    expect(solution?.files).toEqual([{ path: 'x', executable: false, asset: own }]);
  });

  test('steps stay as they are written: they are filled when they are played', () => {
    const steps = [
      { call: { name: 'exec', arguments: { command: ['{{topic}}'] } } },
      { answer: '{{prompt}}' },
    ];
    expect(solutionWith(set(CHALLENGE, { steps }))).toMatchObject({ files: [], steps });
  });

  test('a manifest that lacks what its solution names is an error of its own kind', () => {
    const manifest = manifestWith(set(CHALLENGE, { answer_from: 'case.expectations.result' }));
    const each = { ...storedCase(manifest), expectations: [] };
    expect(() => solutionOf(manifest, each)).toThrow(
      new SolutionError('unresolved', 'the case k1 has no case.expectations.result'),
    );
  });
});

describe('a solution in a published pack', () => {
  const HIDDEN = 'oracle-7c1e';
  const solution = {
    files: [
      { path: `${HIDDEN}.py`, asset: HIDDEN },
      { path: 'b', content: HIDDEN },
    ],
    run: `sh ${HIDDEN}.sh`,
    environment: { ORACLE: HIDDEN },
    answer: HIDDEN,
  };
  const assets = [{ key: HIDDEN, path: `${HIDDEN}.py` }];

  test.each([
    ['a challenge', [set('challenges[0].assets', assets), set(CHALLENGE, solution)]],
    ['a case', [set(`${CASE}.assets`, assets), set(`${CASE}.solution`, solution)]],
  ])(
    'neither the view of an agent nor its files nor those of the grader hold the solution of %s',
    (_name, patches) => {
      const manifest = manifestWith(...patches);
      const each = storedCase(manifest);
      expect(solutionOf(manifest, each)?.answer).toEqual({ content: HIDDEN });
      const seen = [agentView(manifest, each), stagedFiles(manifest, each), graderFiles(manifest, each)];
      expect(JSON.stringify(seen)).not.toContain(HIDDEN);
    },
  );

  test('no build of an image gets a file of a solution: a pack where one could is refused', () => {
    const patches = [
      set('version.assets', [...assets, { key: 'docker', path: 'image/Dockerfile' }]),
      set('version.sandbox', { dockerfile: 'image/Dockerfile' }),
      set(CHALLENGE, solution),
    ];
    const manifest = manifestWith(...patches);
    expect([...buildContext('image', manifest.version.assets ?? []).keys()]).toEqual(['Dockerfile']);
    expect(() => manifestWith(...patches, set('version.assets[0].path', 'image/solve.py'))).toThrow(
      'visible_solution',
    );
  });

  test('the digest covers solutions, and stays what it was for packs without them', () => {
    const digest = (...patches: Patch[]) => digestOf(manifestWith(...patches));
    expect(digest(set(CHALLENGE, { answer: 'a' }))).not.toBe(digest());
    expect(digest(set(CHALLENGE, { answer: 'a' }))).not.toBe(digest(set(CHALLENGE, { answer: 'b' })));
    expect(digest(set(`${CASE}.solution`, { answer: 'a' }))).not.toBe(digest());
    expect(digest(set(CHALLENGE, null))).toBe(digest());
    expect(digest()).toBe('sha256:e8d7c697ff27aaf22923f63e41ba657fd839ee9f67542338a8449760ca308b2f');
    const rich = readPack(RICH_EXAMPLE);
    if (!rich.valid) throw new Error('the rich example has errors');
    expect(digestOf(manifestOf(rich.pack))).toBe(
      'sha256:080038a40e92d8d77bb033d8f8aba38b491942e2e02d5bd7c0b2fd5c509ce536',
    );
    expect(EXAMPLE).not.toContain('solution');
  });
});
