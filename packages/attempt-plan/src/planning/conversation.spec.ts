import type { Case, Phase, UserSimulator } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { plannedConversation } from './conversation.js';

const each: Case = {
  challenge_key: 'c',
  case_key: 'k',
  item_key: 'k',
  payload: { order: { id: 1042 } },
  inputs: [{ key: 'word', kind: 'text', value: 'sorry' }],
};
const artifact = { artifact_id: 'a', sha256: 'a', bytes: 1 };

function planned(phases: Phase[], changes: Partial<UserSimulator> = {}) {
  const simulator: UserSimulator = { schema_version: 1, kind: 'hybrid', phases, ...changes };
  return plannedConversation(each, simulator, {
    artifactOf: (key) => (key === 'file' ? artifact : undefined),
    simulatorOf: ({ model }) => (model === undefined ? undefined : { provider_key: 'openai', model }),
  });
}

describe('the planned conversation', () => {
  test('the planned conversation has its messages filled and its defaults in place', () => {
    const turns = [{ message: 'Where is order {{order.id}}?' }];
    expect(planned([{ id: 'open', actor: 'scripted', turns }])).toEqual({
      turns_max: 50,
      phases: [
        {
          id: 'open',
          trigger: 'always',
          actor: 'scripted',
          turns: [{ message: 'Where is order 1042?', expects: [] }],
        },
      ],
      requested_phases: [],
      human_turns: [],
    });
    expect(planned([{ id: 'open', actor: 'scripted', turns }], { max_turns: 3 }).turns_max).toBe(3);
  });

  test('a planned conversation resolves the sources of its expectations and omits members that are not executed', () => {
    const expects = [
      { key: 'number', kind: 'contains', value: 1042 },
      { key: 'input', kind: 'contains', source: 'input:word' },
      { key: 'stored', kind: 'exact_match', artifact_key: 'file' },
      { key: 'judged', kind: 'rubric', value: 'be kind' },
    ];
    const { phases } = planned([{ id: 'open', actor: 'scripted', turns: [{ message: 'm', expects }] }]);
    expect(phases).toMatchObject([
      {
        turns: [
          {
            expects: [
              { key: 'number', kind: 'contains', text: '1042' },
              { key: 'input', kind: 'contains', text: 'sorry' },
              { key: 'stored', kind: 'exact_match', artifact },
            ],
          },
        ],
      },
    ]);
  });

  test('a planned conversation gives each simulated phase its model, and people half an hour', () => {
    const { phases } = planned([
      { id: 'open', actor: 'scripted', turns: [{ message: 'm' }] },
      { id: 'llm', actor: 'llm', trigger: 'manual', persona: 'P', max_turns: 0, model: 'gpt' },
      { id: 'bare', actor: 'llm', trigger: 'manual', persona: 'P', max_turns: 2, until: ['max_turns'] },
      { id: 'human', actor: 'human', trigger: 'manual', timeout_ms: 0 },
    ]);
    expect(phases.slice(1)).toEqual([
      {
        id: 'llm',
        trigger: 'manual',
        actor: 'llm',
        persona: 'P',
        turns_max: null,
        until: [],
        simulator: { provider_key: 'openai', model: 'gpt' },
      },
      { id: 'bare', trigger: 'manual', actor: 'llm', persona: 'P', turns_max: 2, until: ['max_turns'] },
      { id: 'human', trigger: 'manual', actor: 'human', timeout_ms: 1_800_000, on_timeout: 'stop' },
    ]);
  });
});
