import { setTimeout as delay } from 'node:timers/promises';
import { type Client, routes } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { attemptsOf, type Placing, placingsOf } from '../chaos/record.js';

/** Attempts of the victim's run: half of them by an agent that is right. */
const VICTIM_ATTEMPTS = 20;
const WATCH_EVERY_MS = 50;
/** Much longer than any run of the victim may take. */
const RUN_MS_MAX = 300_000;

/** The figures of a run of the victim. */
export interface VictimRun {
  seconds: number;
  /** How each attempt ended, by agent and case, and the ranking. */
  verdicts: Verdicts;
}

export interface Verdicts {
  attempts: Readonly<Record<string, string>>;
  ranking: readonly Placing[];
}

/** The workspace that is not attacked, and a run that uses what attackers go for: searches, queries, arguments, tests. */
export class Victim {
  private constructor(
    readonly client: Client,
    private readonly versionId: string,
    private readonly deploymentIds: readonly string[],
  ) {}

  static async open(client: Client): Promise<Victim> {
    const published = await client.call(routes.packs.publish, { body: JSON.stringify(PACK) });
    const deployments = await Promise.all(
      [agent('right', 'Lima'), agent('wrong', 'Cuzco')].map((body) =>
        client.call(routes.deployments.create, { body: body as never }),
      ),
    );
    const ids = deployments.map(({ id }) => id);
    return new Victim(client, published.challenge_pack_version_id, ids);
  }

  /** One run, from the request to its ranking. */
  async run(): Promise<VictimRun> {
    const { client, versionId, deploymentIds } = this;
    const startedAt = performance.now();
    const { id } = await client.call(routes.runs.create, {
      body: { challenge_pack_version_id: versionId, deployment_ids: [...deploymentIds] },
    });
    const status = await this.ended(id);
    const seconds = (performance.now() - startedAt) / 1_000;
    const attempts = await attemptsOf(client, id);
    const ends = attempts.map(
      ({ agent_name, case_key, outcome, passed, delivery }) =>
        [`${agent_name} ${case_key}`, `${outcome}, passed ${passed}, delivery ${delivery}`] as const,
    );
    const ranking = status === 'completed' ? await placingsOf(client, id) : [];
    return { seconds, verdicts: { attempts: Object.fromEntries(ends.sort()), ranking } };
  }

  private async ended(id: string): Promise<string> {
    const deadline = Date.now() + RUN_MS_MAX;
    for (;;) {
      const { status } = await this.client.call(routes.runs.get, { params: { run_id: id } });
      if (hasRunEnded(status) || Date.now() > deadline) return status;
      await delay(WATCH_EVERY_MS);
    }
  }
}

function agent(name: string, capital: string): object {
  const calls = [
    { name: 'write_file', arguments: { path: 'capital.txt', content: `${capital}\n` } },
    { name: 'write_file', arguments: { path: 'capital.json', content: JSON.stringify({ capital }) } },
    { name: 'search_text', arguments: { pattern: '^[A-Z]\\w+$', path: 'capital.txt' } },
    { name: 'query_json', arguments: { file_path: 'capital.json', query: '.capital' } },
    { name: 'look_up', arguments: { country: 'Peru' } },
  ];
  return {
    name,
    kind: 'scripted',
    config: { steps: [...calls.map((call) => ({ call })), { answer: capital }] },
  };
}

const VALIDATORS = [
  { key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'case.expectations.capital' },
  { key: 'form', type: 'regex_match', target: 'final_output', expected_from: 'literal:^[A-Z][a-z]+$' },
  {
    key: 'tests',
    type: 'code_execution',
    target: 'file:capital',
    config: { test_command: 'grep -q Lima capital.txt', scoring: 'all_or_nothing', timeout_ms: 60_000 },
  },
];

const PACK = {
  pack: { slug: 'capital', name: 'Capital', family: 'abuse' },
  version: {
    number: 1,
    execution_mode: 'native',
    tool_policy: { allowed_tool_kinds: ['file', 'data'] },
    evaluation_spec: {
      name: 'capital',
      version_number: 1,
      judge_mode: 'deterministic',
      validators: VALIDATORS,
      post_execution_checks: [{ key: 'capital', type: 'file_capture', path: 'capital.txt' }],
      scorecard: {
        strategy: 'binary',
        dimensions: [{ key: 'correctness', validators: VALIDATORS.map(({ key }) => key), pass_threshold: 1 }],
      },
    },
  },
  tools: {
    custom: [
      {
        name: 'look_up',
        description: 'Looks a country up.',
        parameters: {
          type: 'object',
          properties: { country: { type: 'string', pattern: '^[A-Z][a-z]+$' } },
          required: ['country'],
        },
        implementation: { type: 'mock', response: 'South America' },
      },
    ],
  },
  challenges: [
    { key: 'capital', title: 'Capital', category: 'geography', difficulty: 'easy', instructions: 'Name it.' },
  ],
  input_sets: [
    {
      key: 'default',
      name: 'Cases',
      cases: Array.from({ length: VICTIM_ATTEMPTS / 2 }, (_, at) => ({
        challenge_key: 'capital',
        case_key: `case-${at}`,
        payload: { country: 'Peru' },
        expectations: [{ key: 'capital', kind: 'text', value: 'Lima' }],
      })),
    },
  ],
};
