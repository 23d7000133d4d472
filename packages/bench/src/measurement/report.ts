import type { Volume } from './volume.js';

/** One measured figure. */
export interface Figure {
  /** For programs, the unit last: `race_seconds`. */
  key: string;
  /** For people. */
  name: string;
  value: number;
  unit: 's' | 'ms' | 'MiB' | 'MB/s' | '1/s' | '×' | '';
  /** The most (for `1/s` the least) that was aimed for, where something was. */
  target?: number;
  /** True when the target is a minimum although the figure is no rate. */
  isAtLeast?: boolean;
  /** The version of the Node.js that was measured, where it is not the bench's own. */
  node?: string;
  /** Why there is nothing to measure. */
  reason?: string;
}

/** Figures of a quick run only show that they exist: they are held to no target. */
type ReportOptions = Pick<Volume, 'isQuick'>;

const DIGITS = { s: 2, ms: 1, MiB: 1, 'MB/s': 1, '1/s': 2, '×': 2, '': 0 } as const satisfies Record<
  Figure['unit'],
  number
>;

/** True when its target was reached; undefined where none was set. */
export function isMet({ value, target, ...figure }: Figure): boolean | undefined {
  if (target === undefined) return undefined;
  return isFloor(figure) ? value >= target : value <= target;
}

/** Names, values and targets in columns, with whether they were met. */
export function tableOf(figures: readonly Figure[], { isQuick = false }: ReportOptions = {}): string {
  const rows = figures.map((figure) => [
    figure.node === undefined ? figure.name : `${figure.name}, Node.js ${figure.node}`,
    `${figure.value.toFixed(DIGITS[figure.unit])} ${figure.unit}`.trimEnd(),
    isQuick ? '' : aimOf(figure),
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([name = '', value = '', aim = '']) =>
    `${name.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${aim}`.trimEnd(),
  );
  return lines.join('\n');
}

/** For programs: by bench, by key. */
export function documentOf(
  results: Readonly<Record<string, readonly Figure[]>>,
  { isQuick = false }: ReportOptions = {},
) {
  const benches = Object.entries(results).map(([bench, figures]) => [
    bench,
    Object.fromEntries(figures.map((figure) => [figure.key, entryOf(figure, isQuick)])),
  ]);
  const measured = { measured_at: new Date().toISOString(), node: process.version };
  return { ...measured, ...(isQuick && { quick: true }), benches: Object.fromEntries(benches) };
}

function entryOf(figure: Figure, isQuick: boolean) {
  const { value, unit, target, node, reason } = figure;
  const isHeld = target !== undefined && !isQuick;
  return {
    value,
    unit,
    ...(isHeld && { target, met: isMet(figure) }),
    ...(node !== undefined && { node }),
    ...(reason !== undefined && { reason }),
  };
}

function aimOf(figure: Figure): string {
  const { target, unit } = figure;
  if (target === undefined) return '';
  const aim = `${isFloor(figure) ? 'at least' : 'at most'} ${target} ${unit}`.trimEnd();
  return `${aim}: ${isMet(figure) ? 'met' : 'missed'}`;
}

function isFloor({ unit, isAtLeast }: Pick<Figure, 'unit' | 'isAtLeast'>): boolean {
  return isAtLeast ?? unit === '1/s';
}

/** The least of the values that at least this share of them do not exceed. NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
