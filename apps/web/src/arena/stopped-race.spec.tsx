import { type Run, routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import {
  AT,
  agentOf,
  DECIDED,
  decidedAgents,
  id,
  progressOf,
  RUN,
  raceOf,
  runOf,
} from '../testing/fixtures.js';
import { openApp, server } from '../testing/open-app.js';
import { RunStream } from '../testing/run-stream.js';

const { stop_when, seed } = DECIDED;
const RUNNING: Partial<Run> = {
  ...{ status: 'running', finished_at: null, stop_when, seed },
  progress: progressOf({ total: 4, queued: 4, finished: 0, scored: 0, graded: 0, passed: 0 }),
};

let stream: RunStream;

beforeEach(() => {
  stream = new RunStream();
  const progress = progressOf({ total: 2, queued: 2, finished: 0, scored: 0, graded: 0, passed: 0 });
  const agents = ['alpha', 'beta'].map((name, at) =>
    agentOf(300 + at, name, { progress, overall_so_far: null }),
  );
  server.on(routes.runs.agents, { items: agents, position: 0 });
  server.on(routes.runs.events, stream.open);
});

async function openArena(run: Partial<Run>): Promise<void> {
  server.on(routes.runs.get, runOf(run));
  openApp(`/runs/${RUN}/arena`);
  await screen.findByText('Connecting …');
  await waitFor(() => expect(stream.connections.length).toBeGreaterThan(0));
}

function score(lane: number): void {
  const of = { run_agent_id: id(lane), attempt_id: id(lane + 100), case_key: 'peru', repetition: 1 };
  stream.send('attempt.state_changed', { from: 'queued', to: 'preparing' }, of);
  stream.send('attempt.state_changed', { from: 'running', to: 'finished', reason: 'completed' }, of);
  stream.send('run.attempt_scored', { passed: true, overall: 1 }, of);
}

const lane = (name: string) => screen.getByRole('listitem', { name: `Lane ${name}` });
const done = (name: string) =>
  within(lane(name)).getByText('done', { selector: 'dt' }).nextElementSibling?.textContent;

test('Each pair of a race has a meter of its evidence, with its interval as text', async () => {
  const [pair] = raceOf().pairs;
  if (pair === undefined) throw new Error('no pair');
  await openArena({ ...RUNNING, race: raceOf({ pairs: [{ ...pair, verdict: null }], is_decided: false }) });
  const meters = screen.getByRole('list', { name: 'Pairs of the race' });
  const meter = within(meters).getByRole('img', { name: '60 of 499 cases, 1 missing' });
  expect(meter.querySelector('i')?.style.inlineSize).toBe(`${(60 / 499) * 100}%`);
  expect(meters.textContent).toContain('alpha against  betaopen');
  expect(within(meters).getByText('+0.300 [+0.050, +0.500]')).toBeTruthy();
  expect(screen.getByText('open after 61 of 500 cases')).toBeTruthy();
});

test('The end of a race is announced to screen readers, and the count of cases is not', async () => {
  const isOpen = { ...RUNNING, race: raceOf({ is_decided: false }) };
  await openArena(isOpen);
  await screen.findByText('open after 61 of 500 cases');
  const announced = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
  expect(announced().join()).not.toContain('61');
  server.on(routes.runs.get, runOf({ ...isOpen, race: raceOf(), stopped: 'decided' }));
  await waitFor(() => expect(announced()).toContain('The verdict is known.'));
});

test('A race to a decision without a complete case has no meters yet', async () => {
  await openArena(RUNNING);
  expect(await screen.findByText('No case is complete yet')).toBeTruthy();
});

test('A race that ended without a verdict states it', async () => {
  await openArena({ ...RUNNING, status: 'failed', finished_at: AT });
  expect(await screen.findByText('No verdict was reached')).toBeTruthy();
});

test('A run without a goal has no meters', async () => {
  await openArena({ ...RUNNING, stop_when: { budget: { attempts: 2 } } });
  expect(screen.queryByRole('region', { name: 'Pairs' })).toBeNull();
});

test('A lane that leaves the race is marked with the case and the better lane, and reaches its total', async () => {
  await openArena(RUNNING);
  score(301);
  const halt = { run_agent_id: id(301), reason: 'eliminated', skipped: 1, after_cases: 1, by: id(300) };
  stream.send('run.lane_halted', halt);
  await within(lane('beta')).findByText('out');
  expect(lane('beta').textContent).toContain('left after 1 case: alpha is better, 1 attempt skipped');
  expect(done('beta')).toBe('1/1');
  expect(within(lane('alpha')).queryByText('out')).toBeNull();
  expect(done('alpha')).toBe('0/2');
});

test('A lane that a verdict stops is not marked as beaten', async () => {
  await openArena(RUNNING);
  score(300);
  stream.send('run.lane_halted', { run_agent_id: id(300), reason: 'decided', skipped: 1 });
  await within(lane('alpha')).findByText('stopped');
  expect(lane('alpha').textContent).toContain('the race is decided, 1 attempt skipped');
  expect(within(lane('alpha')).queryByText('out')).toBeNull();
});

test('A long race that has ended shows its meters and the lanes that left by the verdicts of the run', async () => {
  const lanes = raceOf().lanes.map((each) => ({
    ...each,
    eliminated: each.run_agent_id === id(301) ? { after_cases: 61, by: id(300) } : null,
  }));
  server.on(routes.runs.get, runOf({ ...DECIDED, race: raceOf({ lanes }) }));
  server.on(routes.runs.agents, { items: decidedAgents(), position: 6_000 });
  server.on(routes.runAgents.scorecard, ({ params }) => ({
    ...{ state: 'pending' as const, revision: null, evaluation_spec_id: null, spec_hash: null },
    ...{ evidence_hash: null, scored_at: null, scorecard: null, failure: null },
    run_agent_id: params.run_agent_id ?? '',
  }));
  openApp(`/runs/${RUN}/arena`);
  await screen.findByText('decided after 61 of 500 cases, 23 USD instead of 189 USD');
  const beta = await screen.findByRole('listitem', { name: 'Lane beta' });
  expect(beta.textContent).toContain('out left after 61 cases: alpha is better');
  expect(within(beta).getByRole('img').getAttribute('aria-label')).toBe(
    '61 of 61 attempts finished, 35 passed, 1 not graded, 439 skipped',
  );
  expect(within(screen.getByRole('list', { name: 'Pairs of the race' })).getByText('better')).toBeTruthy();
});
