import { type Run, type RunAgent, routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import {
  DECIDED,
  decidedAgents,
  id,
  progressOf,
  RUN,
  raceOf,
  runOf,
  versionOf,
} from '../../testing/fixtures.js';
import { openApp, server } from '../../testing/open-app.js';

const SEQUENTIAL = { mean: 0.58, interval: [0.41, 0.72], method: 'confidence_sequence', population: 499 };

function openRanking(run: Partial<Run>, agents: readonly RunAgent[] = decidedAgents()): void {
  server.on(routes.runs.get, runOf(run));
  server.on(routes.runs.agents, { items: [...agents], position: 0 });
  const estimate = run.stopped === undefined ? { mean: 0.58, interval: [0.54, 0.62] } : SEQUENTIAL;
  server.on(routes.versions.get, versionOf(40, 'sums'));
  server.on(routes.runs.ranking, {
    ...{ run_id: RUN, state: 'ready', revision: 1 },
    items: agents.map(({ id: run_agent_id, name }, index) => ({
      ...{
        run_agent_id,
        name,
        rank: index + 1,
        reason: 'overall',
        overall: 0.58,
        overall_estimate: estimate,
      },
      ...{ pass_rate: estimate, passed: true, validity: 'valid' },
    })),
  });
  openApp(`/runs/${RUN}/ranking`);
}

const figure = (name: string) =>
  within(screen.getByRole('region', { name: 'Race' })).getByText(name, { selector: 'dt' }).nextElementSibling
    ?.textContent;
const verdicts = async () => {
  const [, ...rows] = within(await screen.findByRole('region', { name: 'Verdicts' })).getAllByRole('row');
  return rows.map(({ textContent }) => textContent);
};

test('A race that is decided early shows its cases and its cost, and what they would have been', async () => {
  openRanking(DECIDED);
  await screen.findByText('decided after 61 of 500 cases, 23 USD instead of 189 USD');
  expect(screen.getByText('stopped: decided')).toBeTruthy();
  await verdicts();
  expect(figure('Cases used')).toBe('61 of 500');
  expect(figure('Attempts saved')).toBe('878');
  expect(figure('Cost')).toBe('$23.00');
  expect(figure('Cost saved')).toBe('$165.52');
  expect(figure('Seed')).toBe('42');
});

test('A race of which a verdict cancelled a call states the cost that it saved as approximate', async () => {
  const [cut, ...others] = decidedAgents().map((agent) => ({
    ...agent,
    tally: {
      ...{ judged: 60, graded: 60, tokens: 1_200 },
      ...{ cost_usd: null, cost_at_least_usd: 11.5, known_costs: { attempts: 60, usd: 12 } },
    },
  }));
  if (cut === undefined) throw new Error('no agent');
  openRanking(DECIDED, [cut, ...others]);
  await screen.findByText('decided after 61 of 500 cases, at least 23 USD spent, about 176 USD saved');
  await verdicts();
  expect(figure('Cost')).toBe('unknown (at least $23.00)');
  expect(figure('Cost saved')).toBe('about $175.60');
});

test('A race without any verdict promises nothing', async () => {
  const [pair] = raceOf().pairs;
  if (pair === undefined) throw new Error('no pair');
  const pairs = [
    { ...pair, verdict: 'undecided' as const },
    { ...pair, b: id(999), verdict: 'insufficient' as const },
  ];
  openRanking({ ...DECIDED, stopped: 'budget', race: raceOf({ pairs, is_decided: false }) });
  await screen.findByText(/^Ends when every pair is decided/);
  await verdicts();
  expect(screen.queryByText(/With probability/)).toBeNull();
});

test('The conditions and the promise of a race are printed with its result', async () => {
  openRanking(DECIDED);
  await screen.findByText('Ends when every pair is decided (pass, alpha 0.05, margin 0.02).');
  expect(
    screen.getByText('With probability at least 0.95, every verdict is what all 500 cases would have shown.'),
  ).toBeTruthy();
  expect(screen.queryByText(/not written yet/)).toBeNull();
});

test('A race that ran to its last case makes both promises', async () => {
  const { stop_when, seed } = DECIDED;
  openRanking({ stop_when, seed, race: raceOf({ cases: 10 }) });
  await screen.findByText(/^With probability at least 0\.95, every verdict is what all 10 cases/);
  expect(screen.getByText(/^About cases that are not written yet/)).toBeTruthy();
});

test('Each pair has its verdict, its interval, the cases that count and the missing ones', async () => {
  const [pair] = raceOf().pairs;
  if (pair === undefined) throw new Error('no pair');
  const pairs = [pair, { ...pair, b: id(999), verdict: 'insufficient' as const }];
  openRanking({ ...DECIDED, race: raceOf({ pairs }) });
  expect(await verdicts()).toEqual([
    ' alpha against  betabetter alpha is better than beta+0.300 [+0.050, +0.500]604991',
    ' alpha against baselineinsufficient too many cases without a usable attempt+0.300 [+0.050, +0.500]604991',
  ]);
});

test('The intervals of a stopped race are labelled as those of a confidence sequence', async () => {
  openRanking(DECIDED);
  await screen.findByRole('columnheader', { name: 'Overall (95 % confidence sequence)' });
  expect(screen.getByText(/each interval is a confidence sequence, which holds at any moment/)).toBeTruthy();
});

test('A run with a budget shows what is spent and what is reserved for calls under way', async () => {
  openRanking({
    ...{ stop_when: { budget: { usd: 20, tokens: 90_000, attempts: 60 } }, seed: 1, stopped: 'budget' },
    budget: {
      usd: { limit: 60, spent: 59.97, reserved: 0.00001 },
      tokens: { limit: 90_000, spent: 40_000, reserved: 0 },
      attempts: { limit: 60, spent: 40 },
    },
  });
  expect(
    await screen.findByText(
      'Budget: 59.97 of 60 USD used, 0.00001 reserved; 40,000 of 90,000 tokens used; 40 of 60 attempts used.',
    ),
  ).toBeTruthy();
  expect(screen.getByText('The budget is used up.').getAttribute('role')).toBe('status');
});

test('The best agent is named, or those that nothing separates', async () => {
  openRanking({ ...DECIDED, race: raceOf({ goal: 'best', best: [id(301)] }) });
  await verdicts();
  expect(figure('Best')).toBe('beta');
});

test('A run of all cases has no race', async () => {
  openRanking({ progress: progressOf() });
  await screen.findAllByRole('region', { name: 'Ranking' });
  expect(screen.queryByRole('region', { name: 'Race' })).toBeNull();
  expect(screen.queryByText(/^Ends /)).toBeNull();
  expect(screen.getByRole('columnheader', { name: 'Overall (95 % interval)' })).toBeTruthy();
});
