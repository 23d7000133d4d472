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
}

const DIGITS = { s: 2, ms: 1, MiB: 1, 'MB/s': 1, '1/s': 2, '×': 2, '': 0 } as const satisfies Record<
  Figure['unit'],
  number
>;

/** Names, values and targets in columns. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, target }) => [
    name,
    `${value.toFixed(DIGITS[unit])} ${unit}`.trimEnd(),
    target === undefined ? '' : `${unit === '1/s' ? 'at least' : 'at most'} ${target} ${unit}`.trimEnd(),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([name = '', value = '', target = '']) =>
    `${name.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${target}`.trimEnd(),
  );
  return lines.join('\n');
}
