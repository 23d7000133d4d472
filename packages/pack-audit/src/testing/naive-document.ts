import { createHash } from 'node:crypto';
import { readPack } from '@agentclash/challengepack';
import { localPack } from '@agentclash/local-attempts';
import type { AuditedPack } from '../pack/audited-pack.js';

/** A pack with one weakness, as an author in a hurry would write it. */
export interface NaivePack {
  /** Programs that its sandbox must have. */
  requires?: readonly string[];
  instructions: string;
  mode?: 'native' | 'prompt_eval';
  /** Of `code_execution`; `report_path` by `config`. */
  command?: string;
  config?: Readonly<Record<string, unknown>>;
  /** Contents of expectations by key: files below `/grader`. */
  grader?: Readonly<Record<string, unknown>>;
  /** Contents by path. */
  workspace?: Readonly<Record<string, string>>;
  /** The captured file. */
  output?: string;
  env?: Readonly<Record<string, string>>;
  packages?: readonly string[];
  isHomeWritable?: boolean;
  /** In place of `code_execution`. */
  validators?: readonly Readonly<Record<string, unknown>>[];
  tools?: readonly Readonly<Record<string, unknown>>[];
  /** Default 1; a constant reply is tried on several only. */
  cases?: number;
  /** Bytes of the files beside the pack by path, which the workspace gets. */
  beside?: ReadonlyMap<string, Uint8Array>;
}

/** The pack as an audit reads it. Throws with the problems of a document that is not valid. */
export async function readNaive(key: string, naive: NaivePack): Promise<AuditedPack> {
  const bytes = Buffer.from(JSON.stringify(documentOf(key, naive)));
  const { pack, problems } = readPack(bytes);
  if (!pack)
    throw new Error(`${key}: ${problems.map(({ field, message }) => `${field}: ${message}`).join('; ')}`);
  const digest = createHash('sha256').update(bytes).digest('hex');
  return await localPack({ pack, digest, problems }, async (path) => naive.beside?.get(path));
}

function documentOf(slug: string, naive: NaivePack) {
  const { instructions, mode = 'native', env, packages, isHomeWritable, tools, beside, cases = 1 } = naive;
  const output = naive.output ?? 'solution.py';
  const isNative = mode === 'native';
  const assets = [...(beside?.keys() ?? [])].map((path, index) => ({ key: `file-${index}`, path }));
  const isScripted = naive.validators === undefined;
  return {
    pack: { slug: slug.replaceAll('_', '-').toLowerCase(), name: slug, family: 'coding' },
    version: {
      number: 1,
      execution_mode: mode,
      ...(isNative && {
        tool_policy: { allowed_tool_kinds: ['file', 'shell'], allow_shell: true },
        sandbox: { ...(env && { env_vars: env }), ...(packages && { additional_packages: packages }) },
        ...(isHomeWritable && { filesystem: { writable_roots: ['/workspace', '/home/agent'] } }),
      }),
      evaluation_spec: {
        name: slug,
        version_number: 1,
        judge_mode: 'deterministic',
        ...(isNative && { post_execution_checks: [{ key: 'output', type: 'file_capture', path: output }] }),
        validators: isScripted
          ? [
              {
                ...{ key: 'tests', type: 'code_execution', target: 'file:output' },
                config: { test_command: naive.command, timeout_ms: 20_000, ...naive.config },
              },
            ]
          : naive.validators,
        scorecard: { strategy: 'weighted', dimensions: ['correctness'], pass_threshold: 1 },
      },
    },
    challenges: [
      {
        ...{ key: 'work', title: slug, category: 'test', difficulty: 'easy', instructions },
        ...(assets.length > 0 && { assets, artifact_refs: assets.map(({ key }) => ({ key })) }),
      },
    ],
    input_sets: [
      {
        ...{ key: 'default', name: 'All' },
        cases: Array.from({ length: cases }, (_, index) => ({
          challenge_key: 'work',
          case_key: `case-${index + 1}`,
          payload: {
            number: index + 1,
            ...(naive.workspace && {
              workspace_files: Object.entries(naive.workspace).map(([path, content]) => ({ path, content })),
            }),
          },
          expectations: Object.entries(naive.grader ?? {}).map(([name, value]) => ({
            key: name,
            kind: 'file',
            value,
          })),
        })),
      },
    ],
    ...(tools && { tools: { custom: tools } }),
  };
}
