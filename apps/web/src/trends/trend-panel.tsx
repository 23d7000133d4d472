import { routes, runTitle } from '@agentclash/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { usePages } from '../data/use-pages.js';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { SelectField } from '../design/field.js';
import { LaneMark } from '../design/lane-mark.js';
import { Panel } from '../design/panel.js';
import { Empty, Failure, Loading } from '../design/states.js';
import { type AllRows, type Column, Table } from '../design/table.js';
import { Ago } from '../design/time.js';
import { ModelCallsBadge } from '../runs/model-calls-badge.js';
import { TrendChart } from './trend-chart.js';
import {
  knownMeasures,
  MEASURES,
  type Measure,
  type MeasureKey,
  SERIES_MAX,
  type Series,
  seriesOf,
  type TrendRun,
} from './trend-series.js';

const RUNS_A_PAGE = 30;

/** Runs of a pack, by its slug, or of a deployment, by its id. */
type TrendSource = { pack: string } | { deployment: string };

/** Score, cost and times over the completed runs of a pack or a deployment. */
export function TrendPanel({ of }: { of: TrendSource }) {
  const read = usePages(routes.runs.trends, { query: { ...of, limit: RUNS_A_PAGE } });
  const { items, error, isPending, isFetchingMore, more, refetch, all: allRuns } = read;
  const [chosen, setChosen] = useState<MeasureKey>('score');
  const known = knownMeasures(items);
  const key = known.includes(chosen) ? chosen : known[0];
  const seriesIn = (runs: readonly TrendRun[]) => seriesOf(runs, { namesPack: 'deployment' in of });
  const all = seriesIn(items);
  const inFile = async (measure: Measure) => {
    const found = more === undefined ? { items, isCut: false } : await allRuns();
    return { ...found, columns: columnsOf(seriesIn(found.items), measure) };
  };
  return (
    <Panel
      title="Over the runs"
      actions={
        key !== undefined && (
          <SelectField
            label="Measure"
            value={key}
            onChange={({ target }) => setChosen(target.value as MeasureKey)}
          >
            {known.map((each) => (
              <option key={each} value={each}>
                {MEASURES[each].title}
              </option>
            ))}
          </SelectField>
        )
      }
    >
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {isPending && !error && <Loading what="the runs" />}
      {!isPending && !error && items.length === 0 && <Empty title="No completed runs yet" />}
      {key !== undefined && (
        <Trend
          runs={items}
          series={all.slice(0, SERIES_MAX)}
          measure={MEASURES[key]}
          all={() => inFile(MEASURES[key])}
        />
      )}
      {all.length > SERIES_MAX && <p>{`${all.length - SERIES_MAX} more agents took part longer ago.`}</p>}
      {more && (
        <Button onClick={more} isBusy={isFetchingMore}>
          Older runs
        </Button>
      )}
    </Panel>
  );
}

interface TrendProps {
  /** The newest first. */
  runs: readonly TrendRun[];
  series: readonly Series[];
  measure: Measure;
  all: () => Promise<AllRows<TrendRun>>;
}

function columnsOf(series: readonly Series[], measure: Measure): readonly Column<TrendRun>[] {
  return [
    {
      key: 'run',
      title: 'Run',
      cell: (run) => (
        <>
          <Link to={`/runs/${run.id}`}>{runTitle(run)}</Link> <ModelCallsBadge run={run} />{' '}
          {run.is_subset && <Badge>some cases</Badge>}{' '}
          {run.selective_retry && <Badge tone="warn">selective retry</Badge>}
        </>
      ),
      file: ({ id, name, number }) => ({ run: name, number: number ?? null, run_id: id }),
    },
    {
      ...{ key: 'pack', title: 'Pack', isMinor: true },
      cell: ({ pack }) => `${pack.slug} v${pack.version_number}`,
      file: ({ pack, input_set }) => ({
        ...{ pack: pack.slug, pack_version: pack.version_number, input_set: input_set.key },
      }),
    },
    ...series.map(
      ({ key, agents }, index): Column<TrendRun> => ({
        key,
        title: (
          <>
            <LaneMark index={index} /> {key}
          </>
        ),
        stackedTitle: key,
        isFigure: true,
        cell: (run) => {
          const agent = agents.get(run.id);
          return measure.text(agent && measure.of(agent));
        },
        file: (run) => {
          const agent = agents.get(run.id);
          return { [`${key} ${measure.name}`]: (agent && measure.of(agent)) ?? null };
        },
      }),
    ),
    {
      ...{ key: 'at', title: 'Created', isMinor: true, cell: ({ created_at }) => <Ago at={created_at} /> },
      file: ({ created_at }) => ({ created_at }),
    },
  ];
}

function Trend({ runs, series, measure, all }: TrendProps) {
  return (
    <>
      <TrendChart runs={runs.toReversed()} series={series} measure={measure} />
      <Table
        label={`The ${measure.title} of each run`}
        columns={columnsOf(series, measure)}
        rows={runs}
        keyOf={({ id }) => id}
        all={all}
        isStacked
      />
    </>
  );
}
