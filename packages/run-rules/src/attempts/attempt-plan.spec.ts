import type { Preset } from '@agentclash/agent-presets';
import type { ArtifactRef } from '@agentclash/attempt-plan';
import type { CaseSandbox } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { v7 as newId } from 'uuid';
import type { AgentSnapshot } from '../agents/agent-snapshot.js';
import { specOf } from '../pack/pack-version.js';
import { publish } from '../testing/published-pack.js';
import { attemptPlan, graderPlan } from './attempt-plan.js';

const PACK = `pack: {slug: planted, name: Planted, family: security}
version:
  number: 1
  tool_policy: {allow_shell: true}
  filesystem: {max_workspace_bytes: 5242880}
  evaluation_spec:
    name: LEAK-spec-name
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: leak-validator, type: exact_match, target: final_output, expected_from: 'literal:LEAK-literal'}
      - key: leak-tests
        type: code_execution
        target: file:leak-check
        config: {test_command: 'run LEAK-test-command'}
    post_execution_checks:
      - {key: leak-check, type: file_capture, path: LEAK-check-path}
    runtime_limits: {max_iterations: 7}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
  assets:
    - {key: shown, path: data/shown.csv, artifact_id: 00000000-0000-4000-8000-000000000001}
    - {key: result-file, path: LEAK-result.txt, artifact_id: 00000000-0000-4000-8000-00000000dead}
challenges:
  - key: this
    title: Shown title
    category: LEAK-category
    difficulty: easy
    definition: {instructions: 'Shown instructions', notes: LEAK-definition}
    artifact_refs: [{key: shown}]
  - key: other
    title: LEAK-other-title
    category: c
    difficulty: easy
    instructions: LEAK-other-instructions
security:
  forbidden_outputs: [{description: LEAK-forbidden-output, substring: LEAK-substring}]
  forbidden_egress: [{description: LEAK-egress, host: leak-egress.example.com}]
  adversarial_prompts: [{name: leak-prompt, text: LEAK-adversarial, expected_refusal_pattern: LEAK-refusal}]
input_sets:
  - key: all
    name: LEAK-set-name
    cases:
      - challenge_key: this
        case_key: first
        item_key: LEAK-item-key
        payload: {shown: true, workspace_files: [{path: a.txt, content: shown file}]}
        inputs:
          - {key: table, kind: file, artifact_key: shown}
        expectations:
          - {key: leak-expectation, kind: text, value: LEAK-value}
          - {key: leak-source, kind: text, source: 'artifact:result-file'}
        case_timeout_seconds: 40
      - challenge_key: this
        case_key: LEAK-other-case
        payload: {text: LEAK-other-payload}
        expectations: [{key: result, kind: text, value: LEAK-other-value}]
  - key: second
    name: Second
    cases:
      - {challenge_key: other, case_key: LEAK-third-case, payload: {text: LEAK-third}}
`;

const { manifest } = publish(PACK);
const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000dead'];
const version = {
  manifest,
  spec: specOf(manifest),
  caseImages: new Map(),
  artifacts: new Map(
    ids.map((id, n) => [id, { artifact_id: id, sha256: String(n).repeat(64), bytes: n + 1 }]),
  ),
};
function viewOf(key: string) {
  const each = manifest.input_sets[0]?.cases?.find(({ case_key }) => case_key === key);
  if (each === undefined) throw new Error(`the pack has no case ${key}`);
  return { case: each, artifacts: new Map<string, ArtifactRef>() };
}

const agent: AgentSnapshot = {
  deployment_id: newId(),
  revision: 1,
  name: 'LEAK-agent-name',
  kind: 'scripted',
  config: {
    steps: [{ answer: 'LEAK-default-step' }],
    by_case: { first: [{ answer: 'mine' }], 'LEAK-other-case': [{ answer: 'LEAK-other-answer' }] },
  },
  profile: {
    max_iterations: 50,
    max_tool_calls: 9,
    sandbox: { cpu: 2, workspace_bytes: 1_048_576 },
    tool_policy: { allow_shell: false, denied_tools: ['exec'] },
  },
};
const pins = { packModels: {}, raceStepGap: 3, modelCalls: null, hasCallBudget: false };
const runLimits = { max_tool_calls: 3 };
const sources = { version, case: viewOf('first'), agent, pins, runLimits };
const identity = {
  workspace_id: newId(),
  run_id: newId(),
  run_agent_id: newId(),
  attempt_id: newId(),
  delivery: 2,
  repetition: 1,
};

describe('the plan of an attempt', () => {
  const plan = attemptPlan(identity, sources);

  test('the plan holds nothing that the side of the agent must not know', () => {
    const text = JSON.stringify(plan);
    expect(JSON.stringify(manifest).match(/LEAK|leak/g)?.length).toBeGreaterThan(20);
    expect(text.match(/leak[\w-]*|dead/gi) ?? []).toEqual([]);
  });

  test('the plan has exactly the members of an attempt plan', () => {
    expect(Object.keys(plan).sort()).toEqual(
      [
        ...Object.keys(identity),
        ...['schema', 'case_key', 'mode', 'agent', 'challenge', 'case', 'files', 'tools', 'tool_policy'],
        ...['filesystem', 'sandbox', 'limits', 'narrowing', 'planted_secrets'],
      ].sort(),
    );
  });

  test('the plan shows its case: instructions, payload, inputs by their staged path, files in staging order', () => {
    expect(plan).toMatchObject({
      ...identity,
      case_key: 'first',
      mode: 'native',
      challenge: { title: 'Shown title', instructions: 'Shown instructions' },
      case: { payload: { shown: true }, inputs: [{ key: 'table', kind: 'file', file: 'data/shown.csv' }] },
      files: [
        { path: 'data/shown.csv', artifact: { artifact_id: ids[0], bytes: 1 } },
        { path: 'a.txt', content: 'shown file' },
      ],
      agent: { kind: 'scripted', config: { steps: [{ answer: 'mine' }] } },
    });
  });

  test('the plan has the servers of tools of its agent', () => {
    const mcp_servers = [{ name: 'tickets', url: 'https://tickets.example.com/mcp' }];
    expect(attemptPlan(identity, { ...sources, agent: { ...agent, mcp_servers } }).tools).toMatchObject({
      mcp_servers,
    });
  });

  test('the plan has the servers of the pack before those of the agent, unless the agent calls no tools', () => {
    const server = { name: 'units', command: ['python3'], files: [{ artifact_key: 'shown', path: 'a.csv' }] };
    const tools = { mcp_servers: [server], denied: ['exec', 'units__reset'] };
    const withServers = { ...sources, version: { ...version, manifest: { ...manifest, tools } } };
    const own = { name: 'tickets', url: 'https://tickets.example.com/mcp' };
    const served = attemptPlan(identity, { ...withServers, agent: { ...agent, mcp_servers: [own] } });
    const files = [{ path: 'a.csv', artifact: { artifact_id: ids[0], sha256: '0'.repeat(64), bytes: 1 } }];
    expect(served.tools.mcp_servers).toEqual([{ name: 'units', command: ['python3'], files }, own]);
    expect(served.tools.denied).toEqual(['exec']);
    expect(served.narrowing.denied_tools).toEqual(['exec', 'units__reset']);
    const endpoint: AgentSnapshot = {
      ...{ deployment_id: newId(), revision: 1, name: 'e', profile: null },
      ...{ kind: 'endpoint', config: { url: 'https://agent.example.com' } },
    };
    expect(attemptPlan(identity, { ...withServers, agent: endpoint }).tools).not.toHaveProperty(
      'mcp_servers',
    );
  });

  test('the plan resolves limits by run, case, profile and pack, and the sandbox by pack and profile', () => {
    expect(plan.limits).toMatchObject({ max_tool_calls: 3, run_timeout_seconds: 40, max_iterations: 7 });
    expect(plan.sandbox.resources).toMatchObject({ cpu: 2, workspace_bytes: 5_242_880 });
    expect(plan.narrowing).toEqual({ allow_shell: false, denied_tools: ['exec'] });
  });
});

describe('the sandbox of a case', () => {
  const open = { ...manifest, sandbox: { network_access: true, env_vars: { TZ: 'UTC', LANG: 'C' } } };
  const withSandbox = (sandbox: CaseSandbox) => {
    const view = viewOf('first');
    const each = { ...view, case: { ...view.case, sandbox } };
    return { ...sources, version: { ...version, manifest: open }, case: each };
  };

  test('the sandbox of a case has its own sizes up to the profile, and its variables over those of the pack', () => {
    const own = { cpu: 8, memory_mb: 512, env_vars: { LANG: 'en', CASE: '1' } };
    const env_vars = { TZ: 'UTC', LANG: 'en', CASE: '1' };
    const resources = { cpu: 2, memory_bytes: 512 * 1024 ** 2 };
    expect(attemptPlan(identity, withSandbox(own)).sandbox).toMatchObject({
      network_access: true,
      env_vars,
      resources,
    });
    expect(graderPlan(identity.attempt_id, withSandbox(own)).sandbox).toMatchObject({ env_vars, resources });
  });

  test('a case takes the network of the pack away', () => {
    expect(attemptPlan(identity, withSandbox({ network_access: false })).sandbox.network_access).toBe(false);
    expect(attemptPlan(identity, withSandbox({})).sandbox.network_access).toBe(true);
  });
});

describe('The sandbox of a coding agent', () => {
  const preset = { definition: { resources: { memory_bytes: 3e9, pids: 300 } } as Preset };
  const resourcesFor = (sandbox?: object) =>
    attemptPlan(identity, {
      ...sources,
      agent: {
        deployment_id: 'd',
        revision: 1,
        name: 'coder',
        kind: 'program',
        config: { command: [], preset },
        profile: sandbox === undefined ? null : { sandbox },
      },
    }).sandbox.resources;

  test('A coding agent has what its preset needs where its profile sets nothing', () => {
    expect(resourcesFor()).toMatchObject({ cpu: 1, memory_bytes: 3e9, pids: 300 });
    expect(resourcesFor({ pids: 400 })).toMatchObject({ memory_bytes: 3e9, pids: 400 });
  });
});

test('the files of a case are those of its own, then those of the version', () => {
  const own = { artifact_id: ids[0] ?? '', sha256: 'f'.repeat(64), bytes: 7 };
  const view = { ...viewOf('first'), artifacts: new Map([[own.artifact_id, own]]) };
  const [file] = attemptPlan(identity, { ...sources, case: view }).files;
  expect(file).toMatchObject({ artifact: own });
});

test('the grader’s plan follows the sources of expectations and names every check', () => {
  expect(graderPlan(identity.attempt_id, sources)).toMatchObject({
    schema: 'agentclash.grader-plan/1',
    expectations: [
      { key: 'leak-expectation', value: 'LEAK-value' },
      { key: 'leak-source', artifact: { artifact_id: ids[1] } },
    ],
    code_executions: [{ validator_key: 'leak-tests', test_command: 'run LEAK-test-command' }],
    checks: [{ key: 'leak-check', path: 'LEAK-check-path' }],
  });
});
