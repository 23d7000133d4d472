import { secretsProblem, wrongReferences } from '@agentclash/attempt-plan';
import { type JsonObject, readPack } from '@agentclash/challengepack';
import { readCredentialReference } from '@agentclash/domain';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { ToolError } from '../../outcome/tool-error.js';
import { checkSecretPositions } from '../../secrets/secret-use.js';

interface ChainLink {
  delegate: string;
  properties: string[];
  args: JsonObject;
}
interface SecretsVector {
  id: string;
  place: string;
  chain?: ChainLink[];
  secret_fields?: string[];
  args?: JsonObject;
  text?: string;
  env_vars?: Record<string, string>;
  needed?: string[];
  vault?: Record<string, string>;
  expect: { ok?: true; error?: string; path?: string; key?: string; keys?: string[] };
}
type Verdict = SecretsVector['expect'];

/** A pack that publishes when its tools and variables do. */
function publish(parts: { tools?: JsonObject[]; env_vars?: Record<string, string> }) {
  const document = {
    pack: { slug: 'p', name: 'P', family: 'f' },
    version: {
      number: 1,
      tool_policy: { allowed_tool_kinds: ['network', 'file', 'shell'] },
      sandbox: { network_access: true, ...(parts.env_vars && { env_vars: parts.env_vars }) },
      evaluation_spec: {
        name: 'p',
        version_number: 1,
        judge_mode: 'deterministic',
        validators: [{ key: 'v', type: 'contains', target: 'final_output', expected_from: 'literal:x' }],
        scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
      },
    },
    challenges: [{ key: 'c', title: 'C', category: 'x', difficulty: 'easy' }],
    input_sets: [{ key: 's', name: 'S', cases: [{ challenge_key: 'c', case_key: 'k' }] }],
    ...(parts.tools && { tools: { custom: parts.tools } }),
  };
  return readPack(JSON.stringify(document)).problems.filter(({ severity }) => severity === 'error');
}

function toolOf({ delegate, properties, args }: ChainLink, index: number, chain: ChainLink[]): JsonObject {
  const parameters = { type: 'object', properties: Object.fromEntries(properties.map((name) => [name, {}])) };
  const implementation: JsonObject =
    delegate === 'mock' ? { type: 'mock', strategy: 'echo', template: args } : { primitive: delegate, args };
  return { name: index === 0 ? 'tool' : (chain[index - 1]?.delegate ?? ''), parameters, implementation };
}

/** The keys below `args` (or a mock's template) of a problem's field, as a JSON Pointer. */
function pointerOf(field: string): string {
  const below = /\.(?:args|template)((?:\["[^"]*"\])*)$/.exec(field)?.[1] ?? '';
  return [...below.matchAll(/\["([^"]*)"\]/g)].map(([, key]) => `/${key}`).join('');
}

const CHECKS: Record<string, (vector: SecretsVector) => Verdict> = {
  tool_args: ({ chain = [] }) => {
    const [problem] = publish({ tools: chain.map(toolOf) });
    return problem ? { error: problem.code, path: pointerOf(problem.field) } : { ok: true };
  },
  env_vars: ({ env_vars }) => {
    const [problem] = publish({ env_vars });
    return problem ? { error: problem.code, key: /\["([^"]*)"\]$/.exec(problem.field)?.[1] } : { ok: true };
  },
  call: ({ secret_fields = [] }) => {
    try {
      checkSecretPositions('http_request', secret_fields);
      return { ok: true };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { error: error.code, path: error.path };
    }
  },
  run_creation_args: ({ args = {} }) => {
    const [path] = wrongReferences(args);
    return path === undefined ? { ok: true } : { error: 'wrong_reference', path };
  },
  credential_reference: ({ text = '' }) => {
    const read = readCredentialReference(text, { env: 'deny' });
    return 'problem' in read ? { error: read.problem } : { ok: true };
  },
  run_creation: ({ needed = [], vault = {} }) => {
    const error = secretsProblem(needed, (key) =>
      key in vault ? Buffer.byteLength(vault[key] ?? '') : undefined,
    );
    return error ? { error: error.code, keys: error.keys } : { ok: true };
  },
};

export const driver: VectorDriver<SecretsVector> = {
  run(vector) {
    const judge = CHECKS[vector.place];
    if (!judge) throw new Error(`unknown place ${vector.place}`);
    expect(judge(vector)).toMatchObject(vector.expect);
  },
};
