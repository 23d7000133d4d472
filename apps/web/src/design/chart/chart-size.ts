import { useSyncExternalStore } from 'react';

const NARROW = '(width < 700px)';

/** The size of a drawing in its own units. */
export interface ChartSize {
  width: number;
  height: number;
  /** Of its texts. */
  font: number;
  /** The height of a line of text. */
  line: number;
  /** The width of a character, on average and rather too wide. */
  character: number;
  /** Ticks of an axis below a drawing, about. */
  ticks: number;
}

/** Drawings of this height; of half the width on narrow screens, where they are shown as wide but their texts as large. */
export function useChartSize(height: number): ChartSize {
  const isNarrow = useSyncExternalStore(subscribe, () => media()?.matches ?? false);
  const font = isNarrow ? 13 : 12;
  return {
    ...{ width: isNarrow ? 400 : 720, height, font, ticks: isNarrow ? 3 : 4 },
    ...{ line: font + 4, character: font * 0.625 },
  };
}

/** Undefined in documents without a layout. */
function media(): MediaQueryList | undefined {
  return globalThis.matchMedia?.(NARROW);
}

function subscribe(listener: () => void): () => void {
  const list = media();
  list?.addEventListener('change', listener);
  return () => list?.removeEventListener('change', listener);
}
