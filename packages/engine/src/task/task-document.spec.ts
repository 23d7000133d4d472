import type { AgentTool, Case, Challenge, JsonObject, Manifest } from '@agentclash/challengepack';
import { vectorSuite } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import type { AttemptLimits } from '../plan.js';
import { planFromPack } from '../planning/pack-plan.js';
import { nativeOpening, promptOpening } from './opening.js';
import { buildTask } from './task-document.js';

interface ViewVector {
  id: string;
  challenge: Pick<Challenge, 'title' | 'instructions'> & { definition?: JsonObject };
  case: Pick<Case, 'payload' | 'inputs'>;
  files?: { path: string; bytes: number; planted?: boolean }[];
  staged?: Record<string, string>;
  tools?: AgentTool[];
  limits: Partial<AttemptLimits>;
  output_schema?: JsonObject;
  expect: JsonObject;
}

function manifestOf({ challenge, staged = {}, case: each }: Omit<ViewVector, 'id' | 'expect'>): Manifest {
  const { instructions, definition = {} } = challenge;
  const isMirrored = !('instructions' in definition) && instructions !== undefined;
  const assets = (each.inputs ?? []).flatMap(({ key, artifact_key }) => {
    const path = staged[key];
    return path === undefined || artifact_key === undefined
      ? []
      : [{ key: artifact_key, path, artifact_id: artifact_key }];
  });
  return {
    schema_version: 1,
    pack: { slug: 'p', name: 'P', family: 'f' },
    version: { number: 1, execution_mode: 'native', assets },
    evaluation_spec: {},
    challenges: [
      {
        ...challenge,
        key: 'c',
        category: 'x',
        difficulty: 'easy',
        definition: { ...definition, ...(isMirrored && { instructions }) },
      },
    ],
    input_sets: [],
  };
}

function taskOf(vector: Omit<ViewVector, 'id' | 'expect'>) {
  const each = { ...vector.case, challenge_key: 'c', case_key: 'k', item_key: 'k' };
  const artifactOf = (artifact_id: string) => ({ artifact_id, sha256: '', bytes: 0 });
  const plan = planFromPack(manifestOf(vector), each, { artifactOf });
  return buildTask({
    challenge: plan.challenge,
    case: plan.case,
    files: vector.files ?? [],
    tools: vector.tools ?? [],
    limits: vector.limits,
    output_schema: vector.output_schema,
  });
}

vectorSuite<ViewVector>('execution-view.yaml', (vector) => {
  expect(taskOf(vector)).toStrictEqual(vector.expect);
});

describe('the task an agent is given', () => {
  const challenge = { title: 'T', instructions: 'Help {{who}}.', definition: {} };

  test('planted files are not named, the others are sorted', () => {
    const files = [
      { path: 'b', bytes: 1 },
      { path: 'key.pem', bytes: 9, planted: true },
      { path: 'a', bytes: 2 },
    ];
    const task = taskOf({ challenge, case: { payload: {} }, files, limits: {} });
    expect(task.files).toEqual([
      { path: 'a', bytes: 2 },
      { path: 'b', bytes: 1 },
    ]);
  });

  test('workspace files are no payload, an artifact input shows where its file lies', () => {
    const payload = { who: 'Ann', workspace_files: [{ path: 'a', content: 'x' }] };
    const inputs = [{ key: 'ledger', kind: 'file', artifact_key: 'ledger' }];
    const task = taskOf({
      challenge,
      case: { payload, inputs },
      staged: { ledger: 'march/ledger.csv' },
      limits: {},
    });
    expect(task.payload).toEqual({ who: 'Ann' });
    expect(task.inputs).toEqual([{ key: 'ledger', kind: 'file', file: 'march/ledger.csv' }]);
    expect(task.instructions).toBe('Help Ann.');
  });

  test('a system prompt has the policy texts in their order, blank ones left out', () => {
    const task = taskOf({ challenge, case: { payload: {} }, limits: { max_iterations: 3 } });
    const policy_spec = { success_conditions: 'Be right.', role: 'You are a clerk.', instructions: ' ' };
    const [system, user] = nativeOpening({ policy_spec, output_schema: { type: 'object' } }, task);
    expect(system).toMatchObject({
      role: 'system',
      text: expect.stringMatching(/^You are a clerk\.\n\nBe right\.\n\nYou work/),
    });
    expect(system).toMatchObject({ text: expect.stringContaining('{"type":"object"}') });
    expect(user).toMatchObject({ role: 'user', text: expect.stringMatching(/^T\n\nHelp \{\{who\}\}\./) });
  });

  test('a prompt without tools gets its data only where the instruction did not place it', () => {
    const task = taskOf({ challenge, case: { payload: { who: 'Ann' } }, limits: {} });
    expect(promptOpening({}, task, true)).toEqual([{ role: 'user', text: 'Help Ann.' }]);
    expect(promptOpening({}, task, false)).toMatchObject([{ text: expect.stringContaining('"who": "Ann"') }]);
  });
});
