/** How often the agent writes a file: often enough for several pages of a replay. */
export const CALLS = 300;

/** One case of which much is to be seen. */
export const BUSY_PACK = {
  pack: { slug: 'busy', name: 'Busy', family: 'e2e', description: 'Much to look at.' },
  version: {
    number: 1,
    execution_mode: 'native',
    tool_policy: { allowed_tool_kinds: ['file'] },
    evaluation_spec: {
      name: 'busy',
      version_number: 1,
      judge_mode: 'deterministic',
      validators: [
        { key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'literal:done' },
      ],
      scorecard: {
        strategy: 'binary',
        dimensions: [{ key: 'correctness', validators: ['exact'], pass_threshold: 1 }],
      },
    },
  },
  challenges: [
    {
      key: 'write',
      title: 'Write',
      category: 'files',
      difficulty: 'easy',
      instructions: 'Write many files.',
    },
  ],
  input_sets: [
    { key: 'default', name: 'Cases', cases: [{ challenge_key: 'write', case_key: 'one', payload: {} }] },
  ],
};

/** Writes many files, then reads one that is not there. */
export const BUSY_AGENT = {
  runtime_profiles: [{ name: 'long', max_iterations: CALLS + 10, max_tool_calls: CALLS + 10 }],
  deployments: [
    {
      name: 'busy',
      kind: 'scripted',
      runtime_profile: 'long',
      config: {
        steps: [
          ...Array.from({ length: CALLS }, (_, n) => ({
            call: { name: 'write_file', arguments: { path: `notes/${n}.txt`, content: `note ${n}` } },
          })),
          { call: { name: 'read_file', arguments: { path: 'nowhere.txt' } } },
          { answer: 'not done' },
        ],
      },
    },
  ],
};
