import { type Attempt, routes } from '@agentclash/api';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useAll } from '../../data/use-all.js';
import { SelectField } from '../../design/field.js';
import { formatCount, formatScore, NOTHING } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import { useFilters } from '../../navigation/use-filters.js';
import { OVERALL, PASS_RATE } from '../estimates.js';
import { attemptAddress, caseAddress } from '../full-attempt.js';
import { type LaneCase, laneCases, lowestFirst } from './cases.js';

/** Element id of the attempts. */
export const ATTEMPTS = 'attempts';

const SHOWN_MAX = 100;

interface LaneCasesProps {
  scorecard: Readonly<Record<string, unknown>>;
  /** Cases that the scorecard does not list. */
  omitted: number;
  runId: string;
  runAgentId: string;
}

/** The cases of a lane, lowest first; each score links to its attempts. */
export function LaneCases({ scorecard, omitted, runId, runAgentId }: LaneCasesProps) {
  const [get, set] = useFilters();
  const cases = useMemo(() => laneCases(scorecard), [scorecard]);
  const dimensions = [...new Set(cases.flatMap(({ values }) => [...values.keys()]))];
  const measures = [OVERALL, PASS_RATE, ...dimensions.filter((key) => key !== OVERALL && key !== PASS_RATE)];
  const measure = measures.find((known) => known === get('measure')) ?? OVERALL;
  const attempts = useAll(routes.runs.attempts, {
    params: { run_id: runId },
    query: { run_agent_id: runAgentId },
  });
  const byCase = useMemo(() => grouped(attempts.data ?? []), [attempts.data]);
  const sorted = useMemo(() => lowestFirst(cases, measure), [cases, measure]);
  const shown = sorted.slice(0, SHOWN_MAX);
  if (cases.length === 0) return null;
  const columns: readonly Column<LaneCase>[] = [
    {
      key: 'case',
      title: 'Case',
      cell: ({ caseKey }) => <Link to={caseAddress(runId, caseKey, { agent: runAgentId })}>{caseKey}</Link>,
      file: ({ caseKey }) => ({ case_key: caseKey }),
    },
    ...(hasSeveralChallenges(attempts.data ?? [])
      ? [{ key: 'challenge', title: 'Challenge', cell: challengeOf(byCase) }]
      : []),
    ...measures.map(
      (name): Column<LaneCase> => ({
        key: `measure ${name}`,
        title: name,
        isFigure: true,
        isMinor: name !== measure,
        file: ({ values }) => ({ [name.replaceAll(' ', '_')]: values.get(name) ?? null }),
        cell: ({ caseKey, values }) => (
          <Value value={values.get(name) ?? null} caseKey={caseKey} attempts={byCase.get(caseKey) ?? []} />
        ),
      }),
    ),
    {
      key: 'trials',
      title: 'Passed',
      isFigure: true,
      cell: ({ successes, trials }) => `${successes}/${trials}`,
      file: ({ successes, trials }) => ({ passed: successes, attempts: trials }),
    },
  ];
  const order = (
    <SelectField label="Sort by" value={measure} onChange={({ target }) => set({ measure: target.value })}>
      {measures.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
  return (
    <Panel title={`Cases (${formatCount(cases.length + omitted)})`} actions={order} isFlush>
      <Table
        label="Cases"
        columns={columns}
        rows={shown}
        keyOf={({ caseKey }) => caseKey}
        all={() => ({ items: sorted, isCut: omitted > 0 })}
      />
      {cases.length > shown.length && <p>First {SHOWN_MAX} cases shown</p>}
    </Panel>
  );
}

/** True where a challenge is worth a column. */
export function hasSeveralChallenges(attempts: readonly Attempt[]): boolean {
  return new Set(attempts.flatMap(({ challenge_key }) => challenge_key ?? [])).size > 1;
}

function challengeOf(byCase: ReadonlyMap<string, readonly Attempt[]>) {
  return ({ caseKey }: LaneCase) => byCase.get(caseKey)?.[0]?.challenge_key ?? NOTHING;
}

interface ValueProps {
  value: number | null;
  caseKey: string;
  attempts: readonly Attempt[];
}

/** Links to the only attempt, or to the attempts below. */
function Value({ value, caseKey, attempts: [first, ...others] }: ValueProps) {
  if (value === null) return <>{NOTHING}</>;
  if (first === undefined) return <>{formatScore(value)}</>;
  if (others.length === 0) return <Link to={attemptAddress(first.id)}>{formatScore(value)}</Link>;
  return (
    <Link to={`?case=${encodeURIComponent(caseKey)}`} replace onClick={showAttempts}>
      {formatScore(value)}
    </Link>
  );
}

function showAttempts(): void {
  document.getElementById(ATTEMPTS)?.scrollIntoView();
}

function grouped(attempts: readonly Attempt[]): Map<string, Attempt[]> {
  const groups = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const group = groups.get(attempt.case_key);
    if (group === undefined) groups.set(attempt.case_key, [attempt]);
    else group.push(attempt);
  }
  return groups;
}
