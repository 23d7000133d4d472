// The pack of ../challenge-packs/capital-cities.yaml, written as a program: the cases are made from a table.
// `node examples/sdk/capital-cities.ts > pack.yaml` prints it for `agentclash challenge-pack publish pack.yaml`.
import { type Case, definePack } from '@agentclash/sdk';

const CAPITALS = {
  Peru: 'Lima',
  Malta: 'Valletta',
  Kenya: 'Nairobi',
  Nepal: 'Kathmandu',
  Iceland: 'Reykjavík',
};

const cases = Object.entries(CAPITALS).map(
  ([country, capital]): Case => ({
    challenge_key: 'capital',
    case_key: country.toLowerCase(),
    payload: { country },
    expectations: [{ key: 'capital', kind: 'text', value: capital }],
  }),
);

const expected = { target: 'final_output', expected_from: 'case.expectations.capital' } as const;

const pack = definePack({
  pack: {
    slug: 'capital-cities',
    name: 'Capital cities',
    family: 'trivia',
    description: 'Name the capital of a country and nothing else.',
  },
  version: {
    number: 1,
    execution_mode: 'prompt_eval',
    evaluation_spec: {
      name: 'capital-cities',
      version_number: 1,
      judge_mode: 'deterministic',
      validators: [
        { key: 'exact', type: 'exact_match', ...expected },
        { key: 'same-name', type: 'normalized_match', ...expected },
        { key: 'mentioned', type: 'contains', ...expected },
        { key: 'brief', type: 'length_range', target: 'final_output', config: { unit: 'words', max: 3 } },
      ],
      scorecard: {
        strategy: 'weighted',
        pass_threshold: 0.7,
        dimensions: [
          { key: 'knowledge', source: 'validators', validators: ['mentioned'], weight: 3 },
          { key: 'obedience', source: 'validators', validators: ['exact', 'same-name', 'brief'], weight: 1 },
        ],
      },
    },
  },
  challenges: [
    {
      key: 'capital',
      title: 'Name the capital',
      category: 'geography',
      difficulty: 'easy',
      instructions: 'Reply with the capital of {{country}} and nothing else.',
      solution: { answer_from: expected.expected_from },
    },
  ],
  input_sets: [{ key: 'default', name: 'Five countries', cases }],
});

process.stdout.write(pack.toYaml());
