import { type Browser, openChromium, type Visitor } from '@agentclash/e2e';
import { type Figure, quantile } from '../measurement/report.js';
import type { Volume } from '../measurement/volume.js';
import { BenchStack } from '../stack/bench-stack.js';
import { MeasuredPage } from './measured-page.js';
import { SimulatedRace } from './simulated-race.js';
import { largeRun, longAttempt } from './stored-runs.js';

/** Web Vitals call a page good that reacts to an input within 200 ms. */
const DELAY_MS = 200;
const SHOWN_MS = 1_000;
/** Twenty frames a second, while eight lanes a row of figures and text are drawn ten times a second. */
const FRAME_MS = 50;
const GROWTH_MIB = 20;
/** Of each text of the attempt with large ones: 3,300 of them are 53 MB. */
const HEAVY_BYTES = 16_000;
const HEAP_MIB = 150;
const LOADED_MS_MAX = 600_000;

interface Load {
  /** Of the run whose screens are opened, by 8 agents. */
  cases: number;
  /** Of the attempt that is replayed. */
  events: number;
  /** Of the attempt with large texts. */
  heavyEvents: number;
  race: { lanes: number; cases: number; atOnce: number; lastsMs: number };
  watched: { events: number; perSecond: number };
}

const WHOLE: Load = {
  cases: 500,
  events: 10_000,
  heavyEvents: 10_000,
  race: { lanes: 16, cases: 500, atOnce: 8, lastsMs: 3_600_000 },
  watched: { events: 10_000, perSecond: 1_000 },
};
const QUICK: Load = {
  cases: 20,
  events: 1_000,
  heavyEvents: 200,
  race: { lanes: 2, cases: 20, atOnce: 4, lastsMs: 3_600_000 },
  watched: { events: 100, perSecond: 100 },
};
/** Share of the race's events after which its memory is first looked at. */
const SETTLED_SHARE = 0.1;
const END_MS_MAX = 300_000;

interface Stage {
  stack: BenchStack;
  browser: Browser;
  load: Load;
}

/** The web app in Chromium, on a real stack: large runs, a long replay, a long race. */
export async function benchWeb({ isQuick = false }: Volume = {}): Promise<Figure[]> {
  const load = isQuick ? QUICK : WHOLE;
  const stack = await BenchStack.start();
  const browser = await openChromium();
  try {
    const stage = { stack, browser, load };
    const { cases, events } = load;
    const runId = await largeRun(stack, cases);
    const attemptId = await longAttempt(stack, { slug: 'bench-replay', events, calls: 100, bytes: 100 });
    const heavy = { slug: 'bench-heavy', events: load.heavyEvents, calls: 40, bytes: HEAVY_BYTES };
    const heavyId = await longAttempt(stack, heavy);
    return [
      ...(await screenFigures(stage, arenaOf(runId, load))),
      ...(await screenFigures(stage, matrixOf(runId, load))),
      ...(await screenFigures(stage, replayOf(attemptId, load))),
      ...(await screenFigures(stage, transcriptOf(attemptId, load))),
      ...(await screenFigures(stage, heavyOf(heavyId, load))),
      ...(await screenFigures(stage, overviewOf(runId, load))),
      ...(await screenFigures(stage, trendsOf())),
      ...(await raceFigures(stage, runId)),
    ];
  } finally {
    await browser.close();
    await stack.stop();
  }
}

interface Screen {
  key: string;
  name: string;
  address: string;
  /** It is there when the screen shows what it is for. */
  selector: string;
  shownMsMax?: number;
  /** Of what the scripts of the page hold when all of it is loaded. */
  heapMibMax?: number;
  act: (visitor: Visitor) => Promise<void>;
}

function arenaOf(runId: string, { cases }: Load): Screen {
  return {
    key: 'arena',
    name: `arena of ${cases} cases × 8 agents`,
    address: `/runs/${runId}/arena`,
    // A short race is played again, a long one is not.
    selector: '[aria-label="Case matrix"] tbody th, [data-connection="ended"]',
    act: async ({ page }) => {
      await page.getByRole('link', { name: 'Ranking' }).click();
      await page.getByRole('table').first().waitFor();
      await page.getByRole('link', { name: 'Arena' }).click();
      await page.getByRole('listitem', { name: 'Lane agent-8' }).waitFor();
    },
  };
}

function matrixOf(runId: string, { cases }: Load): Screen {
  return {
    key: 'matrix',
    name: `matrix of ${cases} cases × 8 agents`,
    address: `/runs/${runId}/matrix`,
    selector: '[aria-label="Case matrix"] tbody th',
    act: async ({ page }) => {
      await page.getByLabel('Sort by').selectOption('hardest');
      await page.getByLabel('Case', { exact: true }).pressSequentially('case-49');
      await page.getByRole('region', { name: 'Case matrix' }).click();
      for (const key of ['End', 'Home', 'PageDown']) await page.keyboard.press(key);
    },
  };
}

function replayOf(attemptId: string, { events }: Load): Screen {
  return {
    key: 'replay',
    name: `replay of ${events.toLocaleString('en')} events`,
    address: `/attempts/${attemptId}?tab=events`,
    selector: '[aria-label="Timeline"] li',
    shownMsMax: SHOWN_MS,
    act: async ({ page }) => {
      await page.getByRole('region', { name: 'Timeline' }).getByRole('button').first().click();
      await page.getByLabel('Search', { exact: true }).pressSequentially('notes/77');
      await page.getByLabel('Search', { exact: true }).fill('');
      await page.getByLabel('Show', { exact: true }).selectOption('tools');
    },
  };
}

function transcriptOf(attemptId: string, { events }: Load): Screen {
  return {
    key: 'transcript',
    name: `transcript of ${events.toLocaleString('en')} events`,
    address: `/attempts/${attemptId}`,
    selector: '[aria-label="Transcript"] article',
    shownMsMax: SHOWN_MS,
    act: async ({ page }) => {
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
      await page.getByLabel('Find in transcript').pressSequentially('notes/77');
      await page.getByLabel('Find in transcript').fill('');
    },
  };
}

/** About 50 MB of calls with their texts, of which a page loads the beginnings. */
function heavyOf(attemptId: string, { heavyEvents: events }: Load): Screen {
  return {
    ...transcriptOf(attemptId, { events } as Load),
    key: 'heavy',
    name: `transcript of ${events.toLocaleString('en')} events with texts of ${HEAVY_BYTES / 1_000} kB`,
    heapMibMax: HEAP_MIB,
    act: async ({ page }) => {
      await page.getByText('loading more').waitFor({ state: 'detached', timeout: LOADED_MS_MAX });
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
    },
  };
}

function overviewOf(runId: string, { cases }: Load): Screen {
  return {
    key: 'overview',
    name: `overview of ${cases} cases × 8 agents`,
    address: `/runs/${runId}`,
    selector: '[aria-label^="Score and"] tbody th',
    shownMsMax: SHOWN_MS,
    act: async ({ page }) => {
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
    },
  };
}

function trendsOf(): Screen {
  return {
    key: 'trends',
    name: 'results of 8 agents over the runs of a pack',
    address: '/packs/bench-web',
    selector: '[aria-label$="of each run"] tbody th',
    shownMsMax: SHOWN_MS,
    act: async ({ page }) => {
      await page.getByLabel('Measure').selectOption('median time');
      await page.keyboard.press('Control+k');
      await page
        .getByRole('combobox', { name: 'Page, run, pack, deployment or action' })
        .pressSequentially('agent-8');
      await page.keyboard.press('Escape');
    },
  };
}

async function screenFigures({ stack, browser }: Stage, screen: Screen): Promise<Figure[]> {
  const { key, name, address, selector, shownMsMax, heapMibMax, act } = screen;
  const { url, token } = stack;
  const page = await MeasuredPage.open({ browser, url, token, address, selector });
  const { firstPaintMs, shownMs } = page.appearance;
  const delayMs = await page.worstDelay(act);
  const heap = heapMibMax === undefined ? undefined : await page.heapMib();
  await page.leave();
  return [
    ms(`${key}_first_paint_ms`, `${name}: first contentful paint`, firstPaintMs),
    ms(`${key}_shown_ms`, `${name}: until it shows`, shownMs, shownMsMax),
    ms(`${key}_delay_ms`, `${name}: worst delay of an input`, delayMs, DELAY_MS),
    ...(heap === undefined
      ? []
      : [
          {
            key: `${key}_heap_mib`,
            name: `${name}: scripts hold with all of it loaded`,
            value: heap,
            unit: 'MiB' as const,
            ...(heapMibMax !== undefined && { target: heapMibMax }),
          },
        ]),
  ];
}

/** A race of an hour, first at a pace at which it is watched, then as fast as the page takes it. */
async function raceFigures({ stack, browser, load }: Stage, runId: string): Promise<Figure[]> {
  const { race: shape, watched } = load;
  const race = await SimulatedRace.replacing(stack, runId, shape);
  try {
    const { url } = race;
    const selector = `[aria-label="Lane racer-${shape.lanes}"]`;
    const page = await MeasuredPage.open({
      browser,
      url,
      token: stack.token,
      address: `/runs/${runId}/arena`,
      selector,
    });
    await page.visitor.page.locator('[data-connection]').waitFor();
    await race.publish(watched.events / 10, watched.perSecond);
    await page.read();
    const watching = race.publish(watched.events, watched.perSecond);
    const delayMs = await page.worstDelay(async ({ page: { mouse }, page: shown }) => {
      await shown.getByLabel('Failures only').click();
      await mouse.wheel(0, 600);
      await shown.getByLabel('Failures only').click();
    });
    await watching;
    const { frames, longTasks } = await page.read();
    const settled = Math.round(race.total * SETTLED_SHARE);
    await race.publish(settled);
    const before = await page.heapMib();
    const startedAt = performance.now();
    const sentBefore = race.sent;
    await race.finish();
    await page.visitor.page.getByText('The race has ended.').waitFor({ timeout: END_MS_MAX });
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = await page.heapMib();
    await page.leave();
    const name = `${shape.lanes} lanes × ${shape.cases} cases`;
    return [
      ms(
        'race_frame_p95_ms',
        `${name}, ${watched.perSecond} events/s: from frame to frame, p95`,
        quantile(frames, 0.95),
        FRAME_MS,
      ),
      ms('race_longest_task_ms', `${name}: longest task`, Math.max(0, ...longTasks), DELAY_MS),
      ms('race_delay_ms', `${name}: worst delay of an input`, delayMs, DELAY_MS),
      {
        key: 'race_events_per_second',
        name: `${name}: events taken in at most`,
        value: (race.sent - sentBefore) / seconds,
        unit: '1/s',
      },
      {
        key: 'race_heap_mib',
        name: `a race of an hour, ${race.total} events: scripts hold in the end`,
        value: after,
        unit: 'MiB',
      },
      {
        key: 'race_growth_mib',
        name: 'its growth over nine tenths of the hour',
        value: after - before,
        unit: 'MiB',
        target: GROWTH_MIB,
      },
    ];
  } finally {
    await race.close();
  }
}

function ms(key: string, name: string, value: number, target?: number): Figure {
  return { key, name, value, unit: 'ms', ...(target !== undefined && { target }) };
}
