import type { ScriptedReply } from '@agentclash/scripted-model';

export const SOLUTION = 'The capital of Peru is Lima.';

/** The replies of each model for a case, by its number and its replies so far. Always the same. */
export const MODELS = {
  sound: () => ({ text: SOLUTION }),
  hasty: (number) => ({ text: number % 3 === 0 ? 'Cuzco, I think.' : SOLUTION }),
  worker: (number, turns) =>
    turns === 0 && number % 4 !== 0
      ? { toolCalls: [{ name: 'write_file', arguments: { path: 'capital.txt', content: SOLUTION } }] }
      : { toolCalls: [{ name: 'submit', arguments: { answer: SOLUTION } }] },
} as const satisfies Record<string, (number: number, turns: number) => ScriptedReply>;
export type ModelName = keyof typeof MODELS;

/** The most calls that one delivery makes. */
export const CALLS_PER_DELIVERY: Readonly<Record<string, number>> = { sound: 1, hasty: 1, worker: 2 };

/** One run of a race: its pack and who takes part. */
export interface PlannedRun {
  key: 'prompts' | 'sandboxes';
  pack: object;
  models: readonly ModelName[];
  /** Agents without a model. */
  scripted: readonly { name: string; kind: 'scripted'; config: object }[];
}

/** One attempt in five is made in a sandbox. */
const SANDBOX_SHARE = 0.2;

/** Two runs of together so many attempts, each with two agents: one calls only models, the other works in sandboxes. */
export function raceOf(attempts: number): readonly PlannedRun[] {
  const inSandboxes = Math.max(1, Math.round((attempts * SANDBOX_SHARE) / 2));
  const prompts = Math.max(1, Math.round(attempts / 2) - inSandboxes);
  return [
    { key: 'prompts', pack: promptPack(prompts), models: ['sound', 'hasty'], scripted: [] },
    { key: 'sandboxes', pack: sandboxPack(inSandboxes), models: ['worker'], scripted: [SCRIBE] },
  ];
}

/** Long enough at work that its sandbox can be found alive. */
const SCRIBE = {
  name: 'scribe',
  kind: 'scripted',
  config: {
    steps: [
      { call: { name: 'write_file', arguments: { path: 'capital.txt', content: SOLUTION } } },
      { answer: SOLUTION, delay_ms: 1_500 },
    ],
  },
} as const;

const EXACT = {
  key: 'exact',
  type: 'exact_match',
  target: 'final_output',
  expected_from: 'case.expectations.capital',
};

export function promptPack(cases: number): object {
  return packOf({ slug: 'chaos-prompts', version: { execution_mode: 'prompt_eval' }, cases });
}

function sandboxPack(cases: number): object {
  const written = {
    key: 'written',
    type: 'code_execution',
    target: 'file:capital',
    config: { test_command: 'grep -q Lima capital.txt', scoring: 'all_or_nothing', timeout_ms: 30_000 },
  };
  return packOf({
    slug: 'chaos-sandboxes',
    version: { execution_mode: 'native', tool_policy: { allowed_tool_kinds: ['file'] } },
    validators: [written],
    spec: { post_execution_checks: [{ key: 'capital', type: 'file_capture', path: 'capital.txt' }] },
    cases,
  });
}

interface PackParts {
  slug: string;
  version: object;
  validators?: readonly { key: string }[];
  spec?: object;
  cases: number;
}

function packOf({ slug, version, validators = [], spec = {}, cases }: PackParts): object {
  const all = [EXACT, ...validators];
  return {
    pack: { slug, name: slug, family: 'chaos', description: 'The same every time.' },
    version: {
      number: 1,
      ...version,
      evaluation_spec: {
        name: slug,
        version_number: 1,
        judge_mode: 'deterministic',
        validators: all,
        ...spec,
        scorecard: {
          strategy: 'weighted',
          pass_threshold: 0.9,
          dimensions: [{ key: 'correctness', source: 'validators', validators: all.map(({ key }) => key) }],
        },
      },
    },
    challenges: [
      {
        key: 'capital',
        title: 'Name the capital',
        category: 'geography',
        difficulty: 'easy',
        instructions: 'Name the capital of Peru in one sentence ({{key}}).',
      },
    ],
    input_sets: [
      {
        key: 'default',
        name: 'Cases',
        cases: Array.from({ length: cases }, (_, index) => ({
          challenge_key: 'capital',
          case_key: `case-${index}`,
          payload: { key: `case-${index}` },
          expectations: [{ key: 'capital', kind: 'text', value: SOLUTION }],
        })),
      },
    ],
  };
}
