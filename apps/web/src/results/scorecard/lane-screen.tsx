import { type Attempt, routes } from '@agentclash/api';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Loaded } from '../../data/loaded.js';
import { useAll } from '../../data/use-all.js';
import { useRead } from '../../data/use-read.js';
import { Badge } from '../../design/badge.js';
import { Filters, SelectField, TextField } from '../../design/field.js';
import { formatCount, formatDuration, formatScore, NOTHING } from '../../design/format.js';
import { Page } from '../../design/page.js';
import { Panel } from '../../design/panel.js';
import { Section } from '../../design/section.js';
import { Empty } from '../../design/states.js';
import { type Column, Table } from '../../design/table.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { useFilters } from '../../navigation/use-filters.js';
import { RaceLines } from '../../runs/race-lines.js';
import { PackErrors } from '../../runs/run-frame.js';
import { RunLink } from '../../runs/run-name.js';
import { attemptAddress } from '../full-attempt.js';
import { RacePanel } from '../race/race-panel.js';
import { VERDICTS, VerdictBadge, verdictOf } from '../verdict.js';
import { ATTEMPTS, hasSeveralChallenges, LaneCases } from './lane-cases.js';
import { LaneFigures } from './lane-figures.js';

const SHOWN_MAX = 200;

const CHALLENGE: Column<Attempt> = {
  key: 'challenge',
  title: 'Challenge',
  isMinor: true,
  cell: ({ challenge_key }) => challenge_key ?? NOTHING,
  file: ({ challenge_key }) => ({ challenge_key: challenge_key ?? null }),
};

const COLUMNS: readonly Column<Attempt>[] = [
  {
    key: 'case',
    title: 'Case',
    cell: ({ id, case_key, repetition }) => (
      <Link to={attemptAddress(id)}>
        {case_key} {repetition > 1 && `#${repetition}`}
      </Link>
    ),
    file: ({ id, case_key, repetition }) => ({ case_key, repetition, attempt_id: id }),
  },
  {
    key: 'verdict',
    title: 'Verdict',
    cell: (attempt) => (
      <>
        <VerdictBadge verdict={verdictOf(attempt)} />{' '}
        {attempt.served_calls !== undefined && <Badge tone="warn">served</Badge>}
      </>
    ),
    file: (attempt) => ({ verdict: verdictOf(attempt), served_calls: attempt.served_calls ?? null }),
  },
  {
    key: 'overall',
    title: 'Overall',
    isFigure: true,
    cell: ({ id, overall }) => <Link to={attemptAddress(id)}>{formatScore(overall)}</Link>,
    file: ({ overall }) => ({ overall }),
  },
  {
    ...{ key: 'outcome', title: 'Outcome', isMinor: true, cell: ({ outcome, state }) => outcome ?? state },
    file: ({ outcome, state }) => ({ state, outcome }),
  },
  {
    key: 'took',
    title: 'Duration',
    isFigure: true,
    isMinor: true,
    cell: ({ latency_ms }) => formatDuration(latency_ms),
    file: ({ latency_ms }) => ({ latency_ms }),
  },
  {
    key: 'error',
    title: 'Error',
    isMinor: true,
    cell: ({ error, pack_error }) => error?.message ?? pack_error?.message ?? NOTHING,
    file: ({ error, pack_error }) => ({ error: error?.message ?? pack_error?.message ?? null }),
  },
];

/** The scorecard of one agent in a run, and its attempts. */
export default function LaneScreen({ params }: ScreenProps<'runId' | 'runAgentId'>) {
  const { runId, runAgentId } = params;
  const agents = useRead(routes.runs.agents, { params: { run_id: runId } });
  const card = useRead(routes.runAgents.scorecard, { params: { run_agent_id: runAgentId } });
  const run = useRead(routes.runs.get, { params: { run_id: runId } });
  const agent = agents.data?.items.find(({ id }) => id === runAgentId);
  return (
    <Page
      title={agent?.name ?? 'Lane'}
      lead={
        <>
          {agent && <Badge>{agent.kind}</Badge>}
          <RunLink id={runId} view="/ranking" />
        </>
      }
    >
      {run.data && <PackErrors run={run.data} />}
      {run.data && <RaceLines run={run.data} />}
      <Loaded of={card} what="the scorecard">
        {({ state, scorecard, cases_omitted, failure }) =>
          scorecard === null ? (
            <Empty title={state === 'pending' ? 'Not scored yet' : 'No scorecard'}>
              {failure && <p>{failure.message}</p>}
            </Empty>
          ) : (
            <>
              <LaneFigures scorecard={scorecard} spent={agent?.tally} prices={agent?.prices} />
              {run.data && agents.data && (
                <RacePanel run={run.data} agents={agents.data.items} laneId={runAgentId} />
              )}
              <LaneCases
                scorecard={scorecard}
                omitted={cases_omitted ?? 0}
                runId={runId}
                runAgentId={runAgentId}
              />
            </>
          )
        }
      </Loaded>
      <Attempts runId={runId} runAgentId={runAgentId} isRestShown={card.data !== undefined} />
    </Page>
  );
}

interface AttemptsProps {
  runId: string;
  runAgentId: string;
  /** True when the content above has been rendered. */
  isRestShown: boolean;
}

function Attempts({ runId, runAgentId, isRestShown }: AttemptsProps) {
  const attempts = useAll(routes.runs.attempts, {
    params: { run_id: runId },
    query: { run_agent_id: runAgentId },
  });
  const [get, set] = useFilters();
  const wanted = get('case');
  const verdict = VERDICTS.find((known) => known === get('verdict'));
  const isLoaded = attempts.data !== undefined && isRestShown;
  // A link to a case scrolls to its attempts, which are at the end of the page.
  const [isForCase] = useState(wanted !== '');
  useEffect(() => {
    if (isForCase && isLoaded) document.getElementById(ATTEMPTS)?.scrollIntoView();
  }, [isForCase, isLoaded]);
  return (
    <Loaded of={attempts} what="the attempts">
      {(all) => {
        const found = all.filter(
          (attempt) =>
            attempt.case_key.includes(wanted) && (verdict === undefined || verdictOf(attempt) === verdict),
        );
        return (
          <Section id={ATTEMPTS} title={`Attempts (${formatCount(found.length)})`}>
            <Filters>
              <TextField
                label="Case"
                type="search"
                value={wanted}
                onChange={({ target }) => set({ case: target.value })}
              />
              <SelectField
                label="Verdict"
                value={verdict ?? ''}
                onChange={({ target }) => set({ verdict: target.value })}
              >
                <option value="">any</option>
                {VERDICTS.map((known) => (
                  <option key={known}>{known}</option>
                ))}
              </SelectField>
            </Filters>
            <Panel isFlush>
              <Table
                label="Attempts"
                columns={hasSeveralChallenges(all) ? COLUMNS.toSpliced(1, 0, CHALLENGE) : COLUMNS}
                rows={found.slice(0, SHOWN_MAX)}
                all={() => ({ items: found, isCut: false })}
                keyOf={({ id }) => id}
              />
            </Panel>
            {found.length > SHOWN_MAX && (
              <p>First {SHOWN_MAX} attempts shown: search for a case to see others.</p>
            )}
          </Section>
        );
      }}
    </Loaded>
  );
}
