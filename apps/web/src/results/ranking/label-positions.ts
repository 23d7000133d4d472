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
    const y = linesFrom(point.y, area).find(isFree) ?? point.y;
    const label = { x, y, isBefore };
    known.push({ label, from, to });
    labels.set(index, label);
  }
  return points.map((point, index) => labels.get(index) ?? { ...point, isBefore: false });
}

/** The lines of an area, the nearest first. */
function linesFrom(y: number, { top, bottom, line }: Area): number[] {
  const start = Math.min(bottom, Math.max(top, y));
  const steps = Math.ceil((bottom - top) / (line / 2));
  const lines = Array.from({ length: steps + 1 }, (_, step) => step * (line / 2));
  return lines
    .flatMap((distance) => [start - distance, start + distance])
    .filter((at) => at >= top && at <= bottom);
}
