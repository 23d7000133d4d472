import { useState } from 'react';
import { Link } from 'wouter';
import { costTick, durationTick } from '../../design/chart/tick-text.js';
import { SelectField } from '../../design/field.js';
import { formatCost, formatDuration, formatScore } from '../../design/format.js';
import { LaneMark } from '../../design/lane-mark.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import type { GroupedLane } from './lane-groups.js';
import { paretoFront } from './pareto.js';
import { ParetoChart, type Point } from './pareto-chart.js';

const EXPENSES = {
  cost: { title: 'cost', of: costOf, text: formatCost, tick: costTick },
  latency: { title: 'median time', of: timeOf, text: formatDuration, tick: durationTick },
} as const;
type Expense = keyof typeof EXPENSES;

/** The score of each agent against its cost or its time: those on the line are beaten by none. */
export function ParetoPanel({ runId, lanes }: { runId: string; lanes: readonly GroupedLane[] }) {
  const [chosen, setChosen] = useState<Expense>('cost');
  const known = (Object.keys(EXPENSES) as Expense[]).filter((key) => isCompared(pointsOf(lanes, key)));
  const expense = known.includes(chosen) ? chosen : known[0];
  if (expense === undefined) return null;
  const { title, text, tick } = EXPENSES[expense];
  const points = pointsOf(lanes, expense);
  const front = new Set(paretoFront(points).map(({ lane }) => lane.id));
  const unknown = lanes.filter(
    (lane) => lane.overall.mean !== null && EXPENSES[expense].of(lane) === undefined,
  );
  const columns: readonly Column<Point>[] = [
    {
      key: 'agent',
      title: 'Agent',
      cell: ({ lane }) => (
        <>
          <LaneMark index={lane.index} /> <Link to={`/runs/${runId}/agents/${lane.id}`}>{lane.name}</Link>
        </>
      ),
    },
    { key: 'score', title: 'Score', isFigure: true, cell: ({ score }) => formatScore(score) },
    { key: 'expense', title: `${title} an attempt`, isFigure: true, cell: (point) => text(point.expense) },
    {
      key: 'front',
      title: 'Pareto front',
      cell: ({ lane }) => (front.has(lane.id) ? 'yes' : 'beaten'),
    },
  ];
  return (
    <Panel
      title={`Score against ${title}`}
      actions={
        known.length > 1 && (
          <SelectField
            label="Against"
            value={expense}
            onChange={({ target }) => setChosen(target.value as Expense)}
          >
            {known.map((key) => (
              <option key={key} value={key}>
                {EXPENSES[key].title}
              </option>
            ))}
          </SelectField>
        )
      }
    >
      <ParetoChart points={points} title={title} text={text} tick={tick} />
      <Table
        label={`Score and ${title} of each agent`}
        columns={columns}
        rows={[...points].sort((a, b) => a.expense - b.expense)}
        keyOf={({ lane }) => lane.id}
        isStacked
      />
      {unknown.length > 0 && (
        <p>
          Not compared, as the {title} is unknown: {unknown.map(({ name }) => name).join(', ')}
        </p>
      )}
    </Panel>
  );
}

/** False where nothing costs anything, or nothing is known. */
function isCompared(points: readonly Point[]): boolean {
  return points.some(({ expense }) => expense > 0);
}

function pointsOf(lanes: readonly GroupedLane[], key: Expense): Point[] {
  return lanes.flatMap((lane) => {
    const expense = EXPENSES[key].of(lane);
    const score = lane.overall.mean;
    return expense === undefined || score === null ? [] : [{ lane, expense, score }];
  });
}

/** In US dollars an attempt: as measured for a dimension, else of all calls of models. */
function costOf(lane: GroupedLane): number | undefined {
  const measured = rawOf(lane, 'usd');
  if (measured !== undefined) return measured;
  const cost = lane.spent?.cost_usd ?? undefined;
  return cost === undefined || !lane.plannedAttempts ? undefined : cost / lane.plannedAttempts;
}

function timeOf(lane: GroupedLane): number | undefined {
  return lane.latency?.p50_ms ?? rawOf(lane, 'ms');
}

function rawOf({ dimensions }: GroupedLane, unit: string): number | undefined {
  return dimensions.find(({ raw }) => raw?.unit === unit)?.raw?.value;
}
