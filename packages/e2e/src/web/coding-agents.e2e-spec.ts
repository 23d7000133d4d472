import { type Attempt, routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { accessibilityProblems, LOOKS } from './testing/accessibility.js';
import { raceByHand } from './testing/race-by-hand.js';
import { StubAgents } from './testing/stub-agents.js';
import type { Visitor } from './testing/visitor.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(300_000);

const AGENTS = ['claude-code', 'codex'];
/** Of two the hasty solutions are wrong. */
const CASES = ['parse-duration', 'split-csv-line', 'balanced'];

describe('a race of coding agents in the web', () => {
  let web: WebFixture;
  let agents: StubAgents;
  let visitor: Visitor;
  let recorded: string;

  beforeAll(async () => {
    web = await WebFixture.start();
    agents = await StubAgents.prepare(web);
    visitor = await web.visit();
  }, 180_000);
  afterAll(async () => {
    expect(visitor?.pageErrors).toEqual([]);
    await visitor?.leave();
    await agents?.close();
    await web?.close();
  });

  async function attemptsOf(run_id: string): Promise<Attempt[]> {
    const query = { limit: 200 };
    return (await web.client.call(routes.runs.attempts, { params: { run_id }, query })).items;
  }

  test('A race whose model calls are recorded is started in the web, and shows what each agent spent', async () => {
    const { page } = visitor;
    await visitor.open('/runs/new');
    await page.getByLabel('Model calls').selectOption('record');
    recorded = await raceByHand(page, { name: 'recorded', deployments: AGENTS, cases: CASES });
    await page.getByRole('link', { name: 'Ranking', exact: true }).click();
    const ranking = page.getByRole('region', { name: 'Ranking' }).last();
    const best = ranking.getByRole('row').nth(1).filter({ hasText: 'claude-code' });
    // The spending of each agent is read again after the end of the race.
    await best.filter({ hasText: /3\/3[1-9][\d.]*K?\$0\.\d+/ }).waitFor();
    await visitor.open('/runs');
    expect(await page.getByRole('row', { name: 'recorded' }).textContent()).toContain('recorded');
  });

  test('The replay of an attempt has its tool uses with their results, and the totals of its model calls', async () => {
    const { page } = visitor;
    const attempt = (await attemptsOf(recorded)).find(({ agent_name }) => agent_name === 'codex');
    await visitor.open(`/attempts/${attempt?.id}?kind=model`);
    await page.getByText(/^4 model calls · 3 tool uses · .* tokens in · .* out · \$0\.\d+$/).waitFor();
    const uses = page.getByRole('list', { name: /^tools used in step/ });
    await uses.nth(2).waitFor();
    expect(await uses.allTextContents()).toEqual([
      'exec_command {"command":"ls; cat README.md"}',
      'exec_command {"command":"python3 /agent/solver.py hasty_solutions"}',
      'exec_command {"command":"cat solution.py"}',
    ]);
    await page.getByRole('region', { name: 'Timeline' }).getByRole('button').first().click();
    const result = page.getByRole('figure', { name: /^result of exec_command/ });
    expect(await result.textContent()).toContain('One function, one file: solution.py.');
  });

  test('A recorded run is replayed from its page without a call, and every place that shows it has a mark', async () => {
    const { page } = visitor;
    const before = agents.requestCount;
    await visitor.open(`/runs/${recorded}/ranking`);
    await page.getByRole('link', { name: 'Replay', exact: true }).click();
    await page.getByRole('button', { name: /^Recorded run: #\d+ recorded$/ }).waitFor();
    const replayed = await raceByHand(page, { name: 'repeated', deployments: [] });
    expect(agents.requestCount).toBe(before);
    const results = async (run_id: string) =>
      (await attemptsOf(run_id))
        .map(({ agent_name, case_key, outcome, passed }) => `${agent_name} ${case_key} ${outcome} ${passed}`)
        .sort();
    const replayedResults = await results(replayed);
    expect(replayedResults).toEqual(await results(recorded));
    expect(replayedResults).toHaveLength(AGENTS.length * CASES.length);
    const [attempt] = await attemptsOf(replayed);
    for (const address of [
      '/runs',
      `/runs/${replayed}/matrix`,
      `/runs/${replayed}/agents/${attempt?.run_agent_id}`,
      `/attempts/${attempt?.id}`,
    ]) {
      await visitor.open(address);
      await page.locator('span').getByText('replayed', { exact: true }).first().waitFor();
    }
    await page
      .getByText(/from replay/)
      .first()
      .waitFor();
  });

  test('An agent that changed since the recording ends at its first difference, which the web shows', async () => {
    const { page } = visitor;
    await agents.instruct('codex', 'Write it well.');
    await visitor.open(`/runs/new?replay=${recorded}`);
    const changed = await raceByHand(page, { name: 'changed', deployments: [] });
    await visitor.open(`/runs/${changed}/ranking`);
    const panel = page.getByRole('region', { name: /^Attempts that differ from the recorded run \(3\)$/ });
    await panel.getByText('Model call 1 differs from the recorded one at').first().waitFor();
    await panel
      .getByRole('link', { name: /^codex on/ })
      .first()
      .click();
    const difference = page.getByRole('region', { name: 'First difference from the recorded attempt' });
    expect(await difference.textContent()).toMatch(/Expected".*Write it\..*Found".*Write it well\./s);
    await difference.getByRole('link', { name: 'Compare with the recorded attempt' }).click();
    await page.getByText('the recorded attempt', { exact: true }).last().waitFor();
    const failed = (await attemptsOf(changed)).find(({ agent_name }) => agent_name === 'codex');
    const addresses = [`/runs/${changed}/ranking`, `/attempts/${failed?.id}`, `/runs/new?replay=${recorded}`];
    const [attempt] = await attemptsOf(recorded);
    const found = await accessibilityProblems(
      web,
      LOOKS.map((options) => ({ options, addresses: [...addresses, `/attempts/${attempt?.id}`] })),
    );
    expect(found).toEqual([]);
  });
});
