/** A label beside its point, in the units of the drawing. */
export interface Labelled {
  x: number;
  y: number;
  /** The width that its text needs, at most. */
  width: number;
}

export interface LabelPosition {
  x: number;
  /** The middle of its line. */
  y: number;
  /** The end of the text is at `x`, where the right edge is too near. */
  isBefore: boolean;
}

interface Area {
  right: number;
  top: number;
  bottom: number;
  /** The height of a line. */
  line: number;
  /** Between a point and its label. */
  gap: number;
}

/** Between the texts of two ticks. */
const SPACE = 6;

/**
 * Positions each label in the nearest free line beside its point, so that no two overlap. A label that would need more than
 * all lines keeps the line of its point.
 */
export function labelPositions(points: readonly Labelled[], area: Area): LabelPosition[] {
  const known: { label: LabelPosition; from: number; to: number }[] = [];
  const order = [...points.keys()].sort((a, b) => (points[a]?.y ?? 0) - (points[b]?.y ?? 0));
  const labels = new Map<number, LabelPosition>();
  for (const index of order) {
    const point = points[index];
    if (point === undefined) continue;
    const isBefore = point.x + area.gap + point.width > area.right;
    const x = isBefore ? point.x - area.gap : point.x + area.gap;
    const [from, to] = isBefore ? [x - point.width, x] : [x, x + point.width];
    const isFree = (y: number) =>
      known.every(
        (other) => other.to <= from || other.from >= to || Math.abs(other.label.y - y) >= area.line,
      );
    const y = linesFrom(point.y, area).find(isFree) ?? within(area, point.y);
    const label = { x, y, isBefore };
    known.push({ label, from, to });
    labels.set(index, label);
  }
  return points.map((point, index) => labels.get(index) ?? { ...point, isBefore: false });
}

/** The lines of an area, the nearest first. */
function linesFrom(y: number, { top, bottom, line }: Area): number[] {
  const start = within({ top, bottom }, y);
  const steps = Math.ceil((bottom - top) / (line / 2));
  const lines = Array.from({ length: steps + 1 }, (_, step) => step * (line / 2));
  return lines
    .flatMap((distance) => [start - distance, start + distance])
    .filter((at) => at >= top && at <= bottom);
}

function within({ top, bottom }: Pick<Area, 'top' | 'bottom'>, y: number): number {
  return Math.min(bottom, Math.max(top, y));
}

/** The ticks of an axis whose texts are inside of the drawing, and do not touch the text of the tick before. */
export function apart(
  ticks: readonly number[],
  textOf: (tick: number) => { middle: number; width: number },
  right: number,
): number[] {
  let free = 0;
  return ticks.filter((tick) => {
    const { middle, width } = textOf(tick);
    if (middle - width / 2 < free || middle + width / 2 > right) return false;
    free = middle + width / 2 + SPACE;
    return true;
  });
}
