import { formatCost, formatDuration, NOTHING } from '../../design/format.js';
import { laneColor } from '../../design/lane-mark.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import type { DimensionEstimate, RankedLane } from '../estimates.js';
import css from './ranking.module.css';
import { Drawn, laneAddress, type RankedProps } from './ranking-table.js';

/** Every dimension of every lane, the measured value beside the score. */
export function Dimensions({ runId, lanes, order }: RankedProps & { runId: string }) {
  const keys = [...new Set(lanes.flatMap(({ dimensions }) => dimensions.map(({ key }) => key)))];
  if (keys.length === 0) return null;
  const columns: readonly Column<RankedLane>[] = [
    { key: 'agent', title: 'Agent', cell: ({ name }) => name },
    ...keys.map(
      (key): Column<RankedLane> => ({
        key: `dimension ${key}`,
        title: key,
        cell: ({ id, dimensions }) => {
          const dimension = dimensions.find((known) => known.key === key);
          if (dimension === undefined) return NOTHING;
          return (
            <>
              <Drawn
                estimate={dimension}
                color={laneColor(order.indexOf(id))}
                to={laneAddress(runId, id, key)}
              />
              {dimension.raw !== null && <span className={css.why}>{rawText(dimension.raw)}</span>}
            </>
          );
        },
      }),
    ),
  ];
  return (
    <Panel title="Dimensions" isFlush>
      <Table label="Dimensions" columns={columns} rows={lanes} keyOf={({ id }) => id} />
    </Panel>
  );
}

/** A measured value in its unit. */
export function rawText({ value, unit }: NonNullable<DimensionEstimate['raw']>): string {
  if (unit === 'ms') return formatDuration(value);
  if (unit === 'usd') return formatCost(value);
  return `${Number(value.toPrecision(4))} ${unit ?? ''}`.trim();
}
