import {
  type Behaviour,
  type ScriptedModel,
  type ScriptedRequest,
  scriptedModel,
} from '@agentclash/scripted-model';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ResultsFile } from '../results/results-file.js';
import { uuidOf } from '../run/ids.js';
import {
  agentsOf,
  conducted,
  deployment,
  ECHO,
  MUTE,
  prepared,
  resultsFolder,
  wordsPack,
} from '../testing/runs.js';

const AT = '2026-01-01T00:00:00.000Z';
const JUDGES = `    llm_judges:
      - {key: tone, mode: rubric, model: "alias:judge", samples: 1, rubric: Is it short?}
      - {key: best, mode: n_wise, model: "alias:judge", samples: 2, prompt: Which is best?}
`;
const folder = resultsFolder();
let server: ScriptedModel;

beforeAll(async () => {
  server = await scriptedModel(judge);
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

/** Prefers outputs that are words of the pack. */
function judge({ body }: ScriptedRequest): Behaviour {
  const prompt = JSON.stringify(body.messages);
  if (!prompt.includes('Which is best?'))
    return { text: JSON.stringify({ score: /w\d/.test(prompt) ? 5 : 1 }) };
  const isFirst = prompt.search(/w\d/) < prompt.indexOf('nothing');
  return { text: JSON.stringify({ ranking: isFirst ? ['A', 'B'] : ['B', 'A'] }) };
}

interface Card {
  judges: { key: string; state: string; score: number | null }[];
}

test('judges of a run in one process are called, and those that rank see all agents at a case', async () => {
  const account = uuidOf('judges');
  const pack = wordsPack(2)
    .replace('judge_mode: deterministic', 'judge_mode: hybrid')
    .replace('    scorecard: {dimensions: [correctness], pass_threshold: 1}\n', (text) => `${JUDGES}${text}`)
    .replace(
      'dimensions: [correctness]',
      'dimensions: [correctness, {key: best, source: llm_judge, judge_key: best}]',
    );
  const run = await prepared(
    pack,
    {
      ...agentsOf(ECHO, MUTE, deployment('third', MUTE.config)),
      accounts: [
        {
          ...{ id: account, name: 'here', provider_key: 'openai_compatible', base_url: server.url },
          ...{ created_at: AT, updated_at: AT },
        },
      ],
      aliases: [
        {
          ...{ id: uuidOf('judge'), name: 'judge', provider_account_id: account, model: 'judge' },
          ...{ created_at: AT, updated_at: AT },
        },
      ],
    },
    { deployments: ['echo', 'mute'] },
  );
  const file = folder.path('judged.clash');
  const end = await conducted(run, { file, allowsLoopback: true });
  expect(end?.run.progress.scored).toBe(4);
  const results = await ResultsFile.open(file);
  const scored = await Promise.all(results.attempts.map((each) => results.attempt(each)));
  await results.close();
  for (const { scorecard } of scored) {
    const { judges } = scorecard.scorecard as unknown as Card;
    expect(judges.map(({ key, state }) => [key, state])).toEqual([
      ['tone', 'scored'],
      ['best', 'scored'],
    ]);
  }
  // Each case: a rubric of each attempt, and two samples of one ranking.
  expect(server.requests).toHaveLength(2 * (2 + 2));
  expect(end?.ranking.items.map(({ name }) => name)).toEqual(['echo', 'mute']);
});
