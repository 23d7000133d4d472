import { Link } from 'wouter';
import { formatCount, formatScore, NOTHING } from '../design/format.js';
import { LaneMark } from '../design/lane-mark.js';
import { Panel } from '../design/panel.js';
import { type Column, Table } from '../design/table.js';
import type { LaneView } from './race-feed.js';
import { provisionalRanking, type Standing } from './standings.js';

/** The order of the lanes while they race; the ranking of the run follows after its end. */
export function ProvisionalRanking({ runId, lanes }: { runId: string; lanes: readonly LaneView[] }) {
  if (lanes.length < 2) return null;
  const columns: readonly Column<Standing>[] = [
    {
      key: 'agent',
      title: 'Agent',
      cell: ({ id, index, name }) => (
        <>
          <LaneMark index={index} /> <Link to={`/runs/${runId}/agents/${id}`}>{name}</Link>
        </>
      ),
    },
    { key: 'rank', title: 'Rank', isFigure: true, cell: ({ rank }) => rank ?? NOTHING },
    {
      key: 'pass',
      title: 'Pass rate',
      isFigure: true,
      cell: ({ passed, judged }) => (judged === 0 ? NOTHING : formatScore(passed / judged)),
    },
    { key: 'of', title: 'Graded', isFigure: true, cell: ({ judged }) => formatCount(judged) },
    { key: 'overall', title: 'Overall', isFigure: true, cell: ({ overall }) => formatScore(overall) },
  ];
  return (
    <Panel title="Provisional ranking, by pass rate so far" isFlush>
      <Table
        label="Provisional ranking"
        columns={columns}
        rows={provisionalRanking(lanes)}
        keyOf={({ id }) => id}
      />
    </Panel>
  );
}
