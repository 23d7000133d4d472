import {
  type Case,
  type CaseSandbox,
  type JsonObject,
  type Manifest,
  readEvaluationSpec,
} from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import {
  graderChecks,
  needsVerifier,
  PlanningError,
  planFromPack,
  planGrading,
  scriptFor,
  scriptRuntimes,
} from './pack-plan.js';

const spec: JsonObject = {
  name: 'audit',
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [
    {
      key: 'tests',
      type: 'code_execution',
      target: 'file:out',
      config: { test_command: 'pytest {{name}}', report_path: 'r.xml' },
    },
    { key: 'total', type: 'exact_match', target: 'final_output', expected_from: 'case.expectations.total' },
  ],
  post_execution_checks: [{ key: 'out', type: 'file_capture', path: 'out.txt' }],
  scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
};
const manifest: Manifest = {
  schema_version: 1,
  pack: { slug: 'audit', name: 'Audit', family: 'finance' },
  version: { number: 1, execution_mode: 'native' },
  evaluation_spec: spec,
  challenges: [
    {
      key: 'c',
      title: 'Audit',
      category: 'x',
      difficulty: 'easy',
      definition: { instructions: 'Do {{name}}', rubric: 'RUBRIC' },
    },
  ],
  input_sets: [],
  filesystem: { working_directory: 'src', readable_roots: ['/data', 'src'], max_workspace_bytes: 1_000 },
  security: { planted_secrets: [{ name: 'K', value: 'planted', location: 'env' }] },
};
const each: Case = {
  challenge_key: 'c',
  case_key: 'march',
  item_key: 'march',
  payload: { name: 'march', workspace_files: [{ path: 'rules.md', content: 'R' }] },
  inputs: [
    { key: 'ledger', kind: 'file', artifact_key: 'ledger' },
    { key: 'hint', kind: 'text', value: 'look' },
  ],
  expectations: [
    { key: 'total', kind: 'text', source: 'artifact:gold' },
    { key: 'clue', kind: 'text', source: 'input:hint' },
    { key: 'nothing', kind: 'text' },
  ],
  assets: [
    { key: 'ledger', path: 'in/ledger.csv', artifact_id: 'id-ledger' },
    { key: 'gold', path: 'gold.txt', artifact_id: 'id-gold' },
  ],
};
const artifactOf = (artifact_id: string) => ({ artifact_id, sha256: `sha-${artifact_id}`, bytes: 3 });

describe('the plan of an attempt', () => {
  test("a plan holds the agent's side and no expectation", () => {
    const plan = planFromPack(manifest, each, { artifactOf });
    expect(plan).toMatchObject({
      case_key: 'march',
      mode: 'native',
      challenge: { title: 'Audit', instructions: 'Do {{name}}' },
      case: {
        payload: { name: 'march' },
        inputs: [
          { key: 'ledger', kind: 'file', file: 'in/ledger.csv' },
          { key: 'hint', kind: 'text', value: 'look' },
        ],
      },
      files: [
        { path: 'in/ledger.csv', artifact: artifactOf('id-ledger') },
        { path: 'rules.md', content: 'R' },
      ],
      filesystem: {
        working_directory: '/workspace/src',
        readable_roots: ['/data', '/workspace/src'],
        writable_roots: ['/workspace/src'],
      },
      sandbox: { network_access: false, resources: { workspace_bytes: 1_000, pids: 256 } },
    });
    const text = JSON.stringify(plan);
    for (const hidden of ['gold', 'RUBRIC', 'expectations', 'pytest']) expect(text).not.toContain(hidden);
  });

  test('the working directory of a case goes before that of its challenge and of the pack, and may be written', () => {
    const ofChallenge = manifest.challenges.map((challenge) => ({
      ...challenge,
      sandbox: { working_directory: 'challenge' },
    }));
    const own = { ...manifest, challenges: ofChallenge };
    const filesystemOf = (sandbox?: CaseSandbox) =>
      planFromPack(own, { ...each, ...(sandbox && { sandbox }) }, { artifactOf }).filesystem;
    expect(filesystemOf()).toEqual({
      working_directory: '/workspace/challenge',
      readable_roots: ['/data', '/workspace/src', '/workspace/challenge'],
      writable_roots: ['/workspace/challenge'],
    });
    expect(filesystemOf({ working_directory: '/srv/app' })).toMatchObject({
      working_directory: '/srv/app',
      writable_roots: ['/srv/app'],
    });
  });

  test('a plan has the servers of the pack with their stored files, and denies primitives alone by itself', () => {
    const tools = {
      denied: ['exec', 'units__reset'],
      mcp_servers: [
        {
          name: 'units',
          command: ['python3', '/mcp/units/a.py'],
          env: { MODE: 'strict' },
          files: [{ artifact_key: 'code', path: 'a.py' }, { artifact_key: 'data' }],
        },
        { name: 'tickets', url: 'https://t.example/mcp', headers: { 'X-Key': '${secrets.T}' } },
        { name: 'plain', command: ['plain'] },
      ],
    };
    const assets = [
      { key: 'code', path: 'servers/units.py', artifact_id: 'id-code' },
      { key: 'data', path: 'units.json', artifact_id: 'id-data' },
    ];
    const served = { ...manifest, tools, version: { ...manifest.version, assets } };
    const plan = planFromPack(served, each, { artifactOf });
    expect(plan.tools).toEqual({
      custom: [],
      allowed: [],
      denied: ['exec'],
      mcp_servers: [
        {
          name: 'units',
          command: ['python3', '/mcp/units/a.py'],
          env: { MODE: 'strict' },
          files: [
            { path: 'a.py', artifact: artifactOf('id-code') },
            { path: 'units.json', artifact: artifactOf('id-data') },
          ],
        },
        { name: 'tickets', url: 'https://t.example/mcp', headers: { 'X-Key': '${secrets.T}' } },
        { name: 'plain', command: ['plain'] },
      ],
    });
    expect(plan.files.map(({ path }) => path)).toEqual(['in/ledger.csv', 'rules.md']);
    const unstored = { ...served, version: { ...manifest.version, assets: [{ key: 'code', path: 'a.py' }] } };
    expect(() => planFromPack(unstored, each, { artifactOf })).toThrow(
      new PlanningError('artifact_not_found', 'the asset code has no stored bytes'),
    );
  });

  test('no plan is made of an asset that is not stored', () => {
    expect(() => planFromPack(manifest, each, { artifactOf: () => undefined })).toThrow(PlanningError);
  });
});

test('nothing is run for a validator that does not judge the case', () => {
  const { validators, ...rest } = readEvaluationSpec(spec);
  const conditional = (when: string) => {
    const conditioned = { ...rest, validators: validators.map((validator) => ({ ...validator, when })) };
    return planGrading(manifest, each, { attemptId: 'a', spec: conditioned, artifactOf }).code_executions
      .length;
  };
  expect(conditional('case.expectations.clue')).toBe(1);
  expect(conditional('case.expectations.none')).toBe(0);
  expect(conditional('case.payload.none')).toBe(0);
});

test('the plan of the grader holds its checks, test runs and expectations', () => {
  const plan = planGrading(manifest, each, { attemptId: 'a', spec: readEvaluationSpec(spec), artifactOf });
  expect(plan).toMatchObject({
    checks: [{ key: 'out', type: 'file_capture', path: 'out.txt' }],
    code_executions: [
      { validator_key: 'tests', test_command: 'pytest {{name}}', timeout_ms: 30_000, report_path: 'r.xml' },
    ],
    expectations: [
      { key: 'total', artifact: artifactOf('id-gold') },
      { key: 'clue', value: 'look' },
    ],
  });
});

describe('the plan of a grader in code', () => {
  const validators: JsonObject[] = [
    { key: 'a', type: 'script', target: 'evidence', config: { artifact_key: 'check' } },
    {
      key: 'b',
      type: 'script',
      target: 'evidence',
      config: { artifact_key: 'other', runtime: 'node', timeout_ms: 5 },
    },
    {
      key: 'tests',
      type: 'code_execution',
      target: 'file:out',
      config: { test_command: 'make', reports: [{ path: 'r.json', format: 'reward_json', metric: 'style' }] },
    },
  ];
  const assets = [
    { key: 'check', path: 'graders/check.py', artifact_id: 'id-check' },
    { key: 'other', path: 'other.txt', artifact_id: 'id-other' },
    { key: 'test', path: 'test.sh', artifact_id: 'id-test' },
  ];
  const grader_files = [
    { artifact_key: 'test', path: '/tests/test.sh', executable: true },
    { artifact_key: 'other' },
  ];
  const version = { ...manifest.version, assets, grader_files };
  const coded: Manifest = { ...manifest, version, evaluation_spec: { ...spec, validators } };
  const read = readEvaluationSpec(coded.evaluation_spec);

  test('the plan of a grader in code holds its scripts, files and reports, which the agent’s plan does not', () => {
    expect(planGrading(coded, each, { attemptId: 'a', spec: read, artifactOf })).toMatchObject({
      scripts: [
        {
          validator_key: 'a',
          path: '/grader/graders/check.py',
          artifact: artifactOf('id-check'),
          runtime: 'python',
          timeout_ms: 30_000,
        },
        {
          validator_key: 'b',
          path: '/grader/other.txt',
          artifact: artifactOf('id-other'),
          runtime: 'node',
          timeout_ms: 5,
        },
      ],
      case_files: [{ key: 'ledger', path: 'in/ledger.csv', artifact: artifactOf('id-ledger') }],
      grader_files: [
        { path: '/tests/test.sh', artifact: artifactOf('id-test'), executable: true },
        { path: '/grader/other.txt', artifact: artifactOf('id-other') },
      ],
      code_executions: [{ validator_key: 'tests', reports: [{ path: 'r.json', format: 'reward_json' }] }],
    });
    expect(scriptRuntimes(coded, read)).toEqual(['node', 'python']);
    expect(scriptRuntimes(manifest, readEvaluationSpec(spec))).toEqual([]);
    const seen = JSON.stringify(planFromPack(coded, each, { artifactOf }));
    expect(seen).not.toMatch(/id-check|id-other|id-test|grader/);
  });

  test('a script alone needs a verifier', () => {
    const only = readEvaluationSpec({
      ...spec,
      validators: validators.slice(0, 1),
      post_execution_checks: [],
    });
    expect(needsVerifier(graderChecks(only))).toBe(true);
    const none = readEvaluationSpec({ ...spec, validators: [], post_execution_checks: [] });
    expect(needsVerifier(graderChecks(none))).toBe(false);
  });

  test('no plan is made of a script or grader file that is not stored', () => {
    const unstored = (key: string): Manifest => ({
      ...coded,
      version: {
        ...version,
        assets: assets.map((asset) => (asset.key === key ? { key, path: 'x' } : asset)),
      },
    });
    for (const key of ['check', 'test']) {
      expect(() => planGrading(unstored(key), each, { attemptId: 'a', spec: read, artifactOf })).toThrow(
        new PlanningError('artifact_not_found', `the asset ${key} has no stored bytes`),
      );
    }
  });
});

test('a script has its own case only', () => {
  const by_case = { march: [{ answer: '42' }] };
  expect(scriptFor({ by_case, steps: [{ answer: 'default' }] }, 'march').steps).toEqual([{ answer: '42' }]);
  expect(scriptFor({ by_case }, 'april').steps).toEqual([]);
  expect(scriptFor({ by_case }, 'constructor').steps).toEqual([]);
});
