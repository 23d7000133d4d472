import type { Case, JsonObject, Manifest } from '@agentclash/challengepack';
import type { ExecutionMode } from '@agentclash/domain';

/** Part of every value that no agent may ever see, before the name of the field. */
export const HIDDEN = 'hidden-6b1f';
/** Part of every value that an agent is shown. */
export const SHOWN = 'shown-6b1f';

const hidden = (field: string) => `${HIDDEN}-${field}`;
const shown = (field: string) => `${SHOWN}-${field}`;

/**
 * A pack whose fields state whether an agent may see them. Of its stored files, `ledger` is an input and staged;
 * `solution` belongs to expectations and solutions only.
 */
export function secretiveManifest(mode: ExecutionMode): Manifest {
  const hasSandbox = mode !== 'prompt_eval';
  return {
    schema_version: 1,
    pack: {
      slug: hidden('slug'),
      name: hidden('pack'),
      family: hidden('family'),
      description: hidden('about'),
    },
    version: {
      number: 1,
      execution_mode: mode,
      assets: [
        { key: hidden('asset-key'), path: 'ledger.csv', kind: hidden('asset-kind'), artifact_id: 'ledger' },
        { key: hidden('solution-key'), path: hidden('solution-path'), artifact_id: 'solution' },
      ],
      deployment_defaults: {
        aliases: { [hidden('alias')]: hidden('selector') },
        lineups: { default: [hidden('lineup')] },
      },
    },
    evaluation_spec: {
      name: hidden('spec'),
      validators: [
        { key: hidden('validator'), type: 'exact_match', expected_from: `literal:${hidden('literal')}` },
      ],
    },
    challenges: [
      {
        key: hidden('challenge'),
        title: shown('title'),
        category: hidden('category'),
        difficulty: 'easy',
        instructions: shown('instructions'),
        definition: {
          instructions: shown('instructions'),
          notes: hidden('definition'),
          [hidden('member')]: 1,
        },
        solution: { answer: hidden('shared-answer') },
      },
      {
        key: hidden('other-challenge'),
        title: hidden('other-title'),
        category: 'c',
        difficulty: 'easy',
        definition: {},
      },
    ],
    input_sets: [
      {
        key: hidden('set'),
        name: hidden('set-name'),
        cases: [
          secretiveCase(mode),
          { ...secretiveCase(mode), case_key: 'other', payload: { x: hidden('other-case') } },
        ],
      },
    ],
    ...(hasTools(mode) && { tools: tools() }),
    ...(hasSandbox && { security: security() }),
  };
}

/** Packs of the other modes define no tools. */
function hasTools(mode: ExecutionMode): boolean {
  return mode === 'native' || mode === 'multi_turn';
}

export function secretiveCase(mode: ExecutionMode): Case {
  return {
    challenge_key: hidden('challenge'),
    case_key: hidden('case'),
    item_key: hidden('item'),
    payload: {
      question: shown('payload'),
      ...(mode !== 'prompt_eval' && { workspace_files: [{ path: 'data.txt', content: shown('file') }] }),
    },
    inputs: [
      { key: 'hint', kind: 'text', value: shown('input') },
      { key: 'ledger', kind: 'file', artifact_key: hidden('asset-key') },
    ],
    expectations: [
      { key: hidden('expectation'), kind: hidden('kind'), value: hidden('expected') },
      { key: hidden('from-asset'), kind: 'text', artifact_key: hidden('solution-key') },
      { key: hidden('from-source'), kind: 'text', source: `artifact:${hidden('solution-key')}` },
    ],
    solution: {
      files: [{ path: hidden('solution-file'), asset: hidden('solution-key') }],
      run: hidden('solution-command'),
      environment: { ORACLE: hidden('solution-variable') },
      answer: hidden('solution-answer'),
    },
    ...(mode === 'multi_turn' && { user_simulator: simulator() }),
  };
}

function tools(): Manifest['tools'] {
  const parameters: JsonObject = { type: 'object', properties: {}, additionalProperties: false };
  return {
    custom: [
      {
        name: 'weather',
        description: shown('tool'),
        parameters,
        implementation: {
          type: 'mock',
          strategy: 'lookup',
          lookup_key: 'c',
          responses: { x: hidden('mock') },
        },
      },
      {
        name: 'peek',
        description: shown('tool-2'),
        parameters,
        implementation: { primitive: 'read_file', args: { path: hidden('tool-argument') } },
      },
    ],
  };
}

function security(): Manifest['security'] {
  return {
    planted_secrets: [{ name: 'api_token', value: 'decoy-value-1', location: 'tool-output' }],
    forbidden_outputs: [{ description: hidden('output'), substring: hidden('substring') }],
    forbidden_egress: [{ description: hidden('egress'), host: hidden('host') }],
    adversarial_prompts: [
      { name: hidden('prompt'), text: hidden('text'), expected_refusal_pattern: hidden('re') },
    ],
  };
}

function simulator(): Case['user_simulator'] {
  return {
    schema_version: 1,
    kind: 'hybrid',
    max_turns: 9,
    phases: [
      {
        id: hidden('phase'),
        actor: 'scripted',
        turns: [
          {
            message: shown('turn'),
            expects: [{ key: hidden('expects'), kind: 'contains', value: hidden('expects-value') }],
          },
        ],
      },
      {
        id: hidden('phase-2'),
        actor: 'llm',
        trigger: 'on_assistant_mismatch',
        persona: hidden('persona'),
        max_turns: 1,
        until: [`assistant_emitted:${hidden('until')}`],
      },
      {
        id: hidden('phase-3'),
        actor: 'scripted',
        trigger: 'manual',
        turns: [{ message: hidden('never-sent') }],
      },
    ],
  };
}
