import type { Failure } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { id } from '../../testing/fixtures.js';
import { filterFailures, groupFailures } from './group-failures.js';

const failure = (agent: number, case_key: string, more: Partial<Failure> = {}): Failure => ({
  ...{ cluster_key: 'frc_1', run_agent_id: id(agent), agent_name: `agent ${agent}`, case_key },
  ...{ class: 'wrong_output', code: 'output.wrong', severity: 'error', agent_fault: true },
  ...{ failing_keys: ['exact'], attempts: 1, attempt_id: id(500), runs: 1 },
  ...more,
});

test('failures of one agent for one reason are a group with their sums and one example', () => {
  const groups = groupFailures([
    failure(300, 'peru', { attempts: 2, attempt_id: id(501) }),
    failure(301, 'peru', { attempts: 5 }),
    failure(300, 'malta', { attempts: 2 }),
    failure(300, 'kenya', { failing_keys: [], class: 'time_limit' }),
  ]);
  expect(
    groups.map(({ agentName, reason, attempts, cases }) => [agentName, reason, attempts, cases]),
  ).toEqual([
    ['agent 301', 'wrong output: exact', 5, 1],
    ['agent 300', 'wrong output: exact', 4, 2],
    ['agent 300', 'time limit', 1, 1],
  ]);
  expect(groups[1]?.example).toEqual({ attempt_id: id(501), case_key: 'peru' });
});

test('a case that fails for one reason with two codes counts once', () => {
  const [group] = groupFailures([failure(300, 'peru'), failure(300, 'peru', { code: 'output.empty' })]);
  expect(group).toMatchObject({ attempts: 2, cases: 1 });
  expect(group?.failures).toHaveLength(2);
});

test('failures are found by agent, by reason and by a part of a case, a reason or a code', () => {
  const all = [
    failure(300, 'Peru'),
    failure(301, 'malta'),
    failure(300, 'kenya', { failing_keys: [], class: 'time_limit', code: 'attempt.slow' }),
  ];
  const found = (filter: Partial<Parameters<typeof filterFailures>[1]>) =>
    filterFailures(all, { agent: '', reason: '', text: '', ...filter }).map(({ case_key }) => case_key);
  expect(found({})).toEqual(['Peru', 'malta', 'kenya']);
  expect(found({ agent: id(301) })).toEqual(['malta']);
  expect(found({ reason: 'time limit' })).toEqual(['kenya']);
  expect(found({ text: ' peru' })).toEqual(['Peru']);
  expect(found({ text: 'SLOW' })).toEqual(['kenya']);
  expect(found({ text: 'exact', agent: id(300) })).toEqual(['Peru']);
});
