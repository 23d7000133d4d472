import { costText, knownCost, leadersOf, type Run, runHandle, runTitle } from '@agentclash/api';
import { Link } from 'wouter';
import { Badge } from '../design/badge.js';
import { classes } from '../design/classes.js';
import { formatCost, formatDuration, formatScore, NOTHING } from '../design/format.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';
import { ModelCallsBadge } from './model-calls-badge.js';
import css from './run-columns.module.css';
import { RunLabels } from './run-description.js';
import { RunProgress, RunStatusBadge } from './run-progress.js';
import { bestScore, costOfRun, durationMs } from './run-totals.js';

const AGENTS_SHOWN = 4;

/** The columns of the runs of a workspace. */
const RUN_COLUMNS: readonly Column<Run>[] = [
  {
    key: 'name',
    title: 'Run',
    cell: (run) => (
      <>
        <Link to={`/runs/${run.id}`} className={css.run}>
          {runTitle(run)}
        </Link>
        {Object.keys(run.labels).length > 0 && ' '}
        <RunLabels labels={run.labels} />
      </>
    ),
    file: ({ id, number, name, labels }) => ({
      ...{ run: name, number: number ?? null, run_id: id },
      labels: Object.entries(labels)
        .map((label) => label.join('='))
        .join('; '),
    }),
  },
  {
    key: 'pack',
    title: 'Pack',
    cell: ({ pack, input_set }) => `${pack.slug} v${pack.version_number}, ${input_set.key}`,
    file: ({ pack, input_set }) => ({
      ...{ pack: pack.slug, pack_version: pack.version_number, input_set: input_set.key },
    }),
  },
  {
    key: 'status',
    title: 'Status',
    cell: (run) => (
      <>
        <RunStatusBadge status={run.status} /> <ModelCallsBadge run={run} />{' '}
        {run.stopped && <Badge tone="accent">stopped: {run.stopped}</Badge>}{' '}
        {(run.pack_errors ?? []).length > 0 && <Badge tone="warn">pack errors</Badge>}
      </>
    ),
    file: ({ status, stopped = null, model_calls = null }) => ({ status, stopped, model_calls }),
  },
  {
    ...{ key: 'agents', title: 'Agents', cell: (run) => <Agents run={run} /> },
    file: ({ agents = [] }) => ({ agents: agents.map(({ name }) => name).join('; ') }),
  },
  {
    ...{ key: 'best', title: 'Best score', isFigure: true, cell: (run) => formatScore(bestScore(run)) },
    file: (run) => ({ best_score: bestScore(run) }),
  },
  {
    key: 'cost',
    title: 'Cost',
    isFigure: true,
    cell: (run) => costText(knownCost(costOfRun(run)), formatCost),
    file: (run) => ({ cost_at_least_usd: null, ...costOfRun(run) }),
  },
  {
    ...{ key: 'duration', title: 'Duration', isFigure: true },
    cell: (run) => formatDuration(durationMs(run)),
    file: (run) => ({ duration_ms: durationMs(run) }),
  },
  {
    ...{ key: 'progress', title: 'Attempts', cell: ({ progress }) => <RunProgress progress={progress} /> },
    file: ({ progress: { total, finished, passed } }) => ({ attempts: total, finished, passed }),
  },
  {
    ...{ key: 'by', title: 'By', isMinor: true, cell: ({ created_by }) => created_by },
    file: ({ created_by }) => ({ created_by }),
  },
  {
    ...{ key: 'at', title: 'Created', isMinor: true, cell: ({ created_at }) => <Ago at={created_at} /> },
    file: ({ created_at }) => ({ created_at }),
  },
];

/** The agents with their scores so far; those at the top of the ranking first. */
function Agents({ run }: { run: Run }) {
  const { id, agents = [] } = run;
  const leaders = leadersOf(run);
  if (agents.length === 0) return <>{NOTHING}</>;
  const ranked = [...agents].sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity));
  const more = ranked.length - AGENTS_SHOWN;
  return (
    <ul className={css.agents}>
      {ranked.slice(0, AGENTS_SHOWN).map((agent) => (
        <li key={agent.id} className={classes(css.agent, leaders.includes(agent) && css.first)}>
          <Link to={`/runs/${id}/agents/${agent.id}`}>{agent.name}</Link>{' '}
          <span className="figures">{formatScore(agent.overall_so_far)}</span>
        </li>
      ))}
      {more > 0 && <li className={css.agent}>and {more} more</li>}
    </ul>
  );
}

/** The first column, with a box that selects the run for a comparison. */
export function selectable(selected: readonly Run[], onToggle: (run: Run) => void): readonly Column<Run>[] {
  const [name, ...others] = RUN_COLUMNS;
  if (name === undefined) return RUN_COLUMNS;
  const cell = (run: Run) => {
    const isSelected = selected.some(({ id }) => id === run.id);
    return (
      <span className={css.name}>
        <input
          type="checkbox"
          className={css.box}
          aria-label={`Compare ${runHandle(run)}`}
          checked={isSelected}
          disabled={!isSelected && (selected.length === 2 || run.status !== 'completed')}
          onChange={() => onToggle(run)}
        />
        <span>{name.cell(run)}</span>
      </span>
    );
  };
  return [{ ...name, cell }, ...others];
}
