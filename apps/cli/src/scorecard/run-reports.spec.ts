import type { Attempt, Run } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { RankingRow } from '../lookup/ranking.js';
import { attempt, run, runAgent } from '../testing/factories.js';
import { CERTIFICATE } from '../testing/fixtures/audits.js';
import { runJunit, runMarkdown } from './run-reports.js';

const progressOf = (total: number, skipped: number) => ({
  ...{ total, queued: 0, running: 0, finished: total - skipped, skipped, scored: total - skipped, passed: 0 },
  by_outcome: { completed: total - skipped },
});
const lane = (id: string, name: string, skipped: number) => ({
  ...runAgent(name, 10),
  id,
  progress: progressOf(10, skipped),
  tally: { judged: 0, graded: 0, tokens: 0, cost_usd: 0 },
});
const AGENTS = [lane('a', 'good', 4), lane('b', 'weak', 4), lane('c', 'even', 4)];
const PAIR = { difference: 1, lower: 0.1, upper: 1, cases: 6, population: 10, missing: 0 };

const RUN = run({
  ...{
    id: 'r',
    name: 'nightly',
    status: 'completed',
    pack: { slug: 'sums', name: 'Sums', version_number: 2 },
  },
  ...{ progress: progressOf(30, 12), stopped: 'decided', seed: 7 },
  stop_when: { decided: { goal: 'ranking', metric: 'pass', alpha: 0.05, margin: 0 } },
  race: {
    ...{ goal: 'ranking', metric: 'pass', alpha: 0.05, margin: 0, cases: 10 },
    pairs: [
      { ...PAIR, a: 'a', b: 'b', verdict: 'better' },
      { ...PAIR, a: 'a', b: 'c', verdict: 'undecided', difference: 0, lower: -0.5 },
    ],
    ...{ lanes: [], best: [], is_decided: true },
  },
});

const ATTEMPTS: Attempt[] = [
  attempt({
    case_key: 'one',
    state: 'finished',
    outcome: 'completed',
    is_scored: true,
    passed: true,
    overall: 1,
  }),
  attempt({
    case_key: 'two',
    state: 'finished',
    outcome: 'cancelled',
    is_scored: true,
    passed: null,
    validity: 'invalid',
  }),
  attempt({ case_key: 'six', state: 'skipped', outcome: null, is_scored: false, passed: null }),
];

test('a JUnit report has the certificate of the version as a property of the suite', () => {
  const of = (audit: typeof CERTIFICATE | null) => runJunit(RUN, [], { agents: [], audit });
  const property = (words: string) => `<property name="pack_audit" value="sums version 2: ${words}"/>`;
  expect(of(null)).toContain(property('not audited'));
  expect(of(CERTIFICATE)).toContain(property('audit failed: 75 % of mutants noticed, 1 of 60 cheats gained'));
});

test('a JUnit report of a race names its end, its promise and the verdict of each pair, and skips what was not needed', () => {
  const report = runJunit(RUN, ATTEMPTS, { agents: AGENTS, audit: null });
  expect(report).toContain('tests="6" failures="0" errors="0" skipped="3"');
  expect(report).toContain(
    'name="end"><system-out>stopped: decided after 6 of 10 cases, 12 attempts saved. 12 attempts skipped. With probability at least 0.95, every verdict is what all 10 cases would have shown.</system-out>',
  );
  expect(report).toContain(
    'classname="race" name="good against weak"><system-out>good is better than weak: +1.000 [+0.100, +1.000] after 6 of 10 cases</system-out>',
  );
  expect(report).toContain(
    'name="good against even"><skipped type="undecided" message="not decided: 0.000 [-0.500, +1.000] after 6 of 10 cases"/>',
  );
  expect(report).toMatch(
    /name="two #\d+"[^>]*><skipped type="decided" message="cancelled: the verdicts did not need it"\/>/,
  );
  expect(report).toMatch(
    /name="six #\d+"[^>]*><skipped type="decided" message="not run: the verdicts did not need it"\/>/,
  );
});

test('a race that used up its budget skips what the budget did not pay for', () => {
  const { race: _race, ...run } = { ...RUN, stopped: 'budget' } as Run;
  const report = runJunit({ ...run, stop_when: { budget: { attempts: 18 } } } as Run, ATTEMPTS, {
    agents: AGENTS,
    audit: null,
  });
  expect(report).toContain('stopped: budget used up after 18 of 30 attempts');
  expect(report).toContain('<skipped type="budget" message="not run: the budget was used up"/>');
});

test('an attempt that a user cancelled with its run is an error, though the run had a race', () => {
  const { stopped: _stopped, ...cancelled } = { ...RUN, status: 'cancelled' as const };
  const report = runJunit(cancelled, ATTEMPTS.slice(0, 2), { agents: AGENTS, audit: null });
  expect(report).toContain('tests="5" failures="0" errors="1" skipped="1"');
});

test('an ordinary run has no case of a race, and a cancelled attempt of it is an error', () => {
  const { race: _race, stop_when: _stop, stopped: _stopped, ...run } = RUN;
  const report = runJunit(run as Run, ATTEMPTS.slice(0, 2), { agents: AGENTS, audit: null });
  expect(report).toContain('tests="2" failures="0" errors="1" skipped="0"');
  expect(report).not.toContain('race');
});

test('a Markdown report of a race names its end, the pairs and the method of its intervals', () => {
  const item = RankingRow.parse({
    ...{
      run_agent_id: 'a',
      name: 'good',
      rank: 1,
      reason: 'overall',
      overall: 1,
      passed: true,
      validity: 'valid',
    },
    overall_estimate: { mean: 1, interval: [0.6, 1], method: 'confidence_sequence' },
  });
  const text = runMarkdown(
    RUN,
    { items: [item] },
    { agents: AGENTS, against: undefined, audit: CERTIFICATE },
  );
  expect(text).toContain('stopped: decided after 6 of 10 cases, 12 attempts saved.');
  expect(text).toContain('- good is better than weak: +1.000 \\[+0.100, +1.000\\] after 6 of 10 cases');
  expect(text).toContain(
    'With probability at least 0.95, every verdict is what all 10 cases would have shown.',
  );
  expect(text).toContain('sums version 2: audit failed: 75 % of mutants noticed, 1 of 60 cheats gained');
  expect(text).toContain('Intervals of agents that stopped early are confidence sequences');
});
