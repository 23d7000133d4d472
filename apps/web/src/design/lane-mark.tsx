const LANE_COLORS = 8;

/** The colour of a lane by its index in the run; the same on every screen. */
export function laneColor(index: number): string {
  return `var(--lane-${index % LANE_COLORS})`;
}

/** A swatch beside a lane's name. */
export function LaneMark({ index }: { index: number }) {
  return (
    <svg width="10" height="10" aria-hidden="true">
      <rect width="10" height="10" rx="3" fill={laneColor(index)} />
    </svg>
  );
}
