/** The readings of the clock in a page since it was last wound. */
export interface ClockReading {
  /** From an input to the frame that reacts to it, the worst, in milliseconds; 0 where none took a frame's time. */
  worstDelayMs: number;
  /** Tasks that kept the page busy for more than 50 ms, in milliseconds each. */
  longTasks: number[];
  /** Between one frame and the next, in milliseconds. */
  frames: number[];
}

/** When a page first had something to see, and when its selector matched: milliseconds from the start of its loading. */
export interface Appearance {
  firstPaintMs: number;
  shownMs: number;
}

/**
 * A script that runs in a page before its own: notes frames, long tasks and the delays of inputs, and when an element
 * that matches the selector was painted.
 */
export function pageClock(selector: string): string {
  return `(() => {
    const clock = { worstDelayMs: 0, longTasks: [], frames: [], shownMs: null };
    globalThis.benchClock = clock;
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries())
        if (interactionId) clock.worstDelayMs = Math.max(clock.worstDelayMs, duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: true });
    new PerformanceObserver((list) => {
      clock.longTasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask', buffered: true });
    let before = null;
    const frame = (now) => {
      if (before !== null) clock.frames.push(now - before);
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const watch = new MutationObserver(() => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) return;
      watch.disconnect();
      // The frame after the one in which it is drawn begins when that is done.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          clock.shownMs = performance.now();
          document.documentElement.dataset.benchShown = '';
        }),
      );
    });
    watch.observe(document, { childList: true, subtree: true, attributes: true });
  })()`;
}

/** Matches once the requested content has been painted. */
export const SHOWN = 'html[data-bench-shown]';

export const APPEARANCE = `({
  firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  shownMs: benchClock.shownMs,
})`;

/** Reads the clock and winds it. */
export const READING = `(() => {
  const { worstDelayMs, longTasks, frames } = benchClock;
  Object.assign(benchClock, { worstDelayMs: 0, longTasks: [], frames: [] });
  return { worstDelayMs, longTasks, frames };
})()`;
