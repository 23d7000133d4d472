import { planFromPack } from '@agentclash/attempt-plan';
import type { Case, Challenge, JsonObject, Manifest } from '@agentclash/challengepack';
import type { AgentTool, AttemptLimits } from '@agentclash/domain';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { buildTask } from '../../task/task-document.js';

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

/** The task of a case that a vector describes. */
export function taskOf(vector: Omit<ViewVector, 'id' | 'expect'>) {
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

export const driver: VectorDriver<ViewVector> = {
  run(vector) {
    expect(taskOf(vector)).toStrictEqual(vector.expect);
  },
};
