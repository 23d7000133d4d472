import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import axe from 'axe-core';
import { everyScreen, OPERATOR_SCREENS } from './testing/screens.js';
import type { Visitor, VisitorOptions } from './testing/visitor.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(300_000);

const SCRIPT_BYTES_MAX = 250 * 1024;

/** Pages that visit the screens at the same time. */
const PAGES = 3;

interface Visit {
  options: Partial<VisitorOptions>;
  addresses: readonly string[];
}

interface AccessibilityProblem {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary: string }[];
}

describe('every screen', () => {
  let web: WebFixture;
  let screens: string[];

  beforeAll(async () => {
    web = await WebFixture.start();
    await web.prepare(
      web.example('challenge-packs/capital-cities.yaml'),
      web.example('deployments/capital-cities.yaml'),
    );
    const agents = ['--deployment', 'concise', '--deployment', 'chatty'];
    const runId = await web.race(['--pack', 'capital-cities', ...agents, '--repetitions', '2']);
    screens = await everyScreen(web, runId);
  }, 180_000);
  afterAll(async () => await web?.close());

  test.each([
    { width: 1280, theme: 'light' },
    { width: 1280, theme: 'dark' },
    { width: 390, theme: 'light' },
    { width: 390, theme: 'dark' },
  ] as const)(
    'every screen has no serious violation that axe finds, and fits $width px, $theme',
    async ({ width, theme }) => {
      const look = { width, theme };
      const visits = [
        ...partsOf(screens, PAGES).map((addresses) => ({ options: look, addresses })),
        { options: { ...look, token: web.operatorToken }, addresses: OPERATOR_SCREENS },
        { options: { ...look, token: undefined }, addresses: ['/'] },
      ];
      const found = (await Promise.all(visits.map(findingsOf))).flat();
      expect(found).toEqual([]);
    },
  );

  /** The accessibility problems of these screens, one after the other in a page of their own. */
  async function findingsOf({ options, addresses }: Visit): Promise<string[]> {
    const visitor = await web.visit(options);
    const found: string[] = [];
    for (const address of addresses) found.push(...(await violationsOf(visitor, address)));
    await visitor.leave();
    return [...found, ...visitor.pageErrors];
  }

  test('the first load takes less than 250 kB of compressed script', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const scripts = new Set<string>();
    let bytes = 0;
    session.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    await visitor.open('/runs');
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(SCRIPT_BYTES_MAX);
    await visitor.leave();
  });

  test('screens can be reached with the keyboard alone', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open('/runs');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { level: 1, name: 'Packs' }).waitFor();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
    await page.keyboard.press('Escape');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    expect(new URL(page.url()).pathname).toBe('/packs');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await visitor.leave();
  });
});

/** Splits a list into parts of about equal size. */
function partsOf<T>(all: readonly T[], parts: number): T[][] {
  return Array.from({ length: parts }, (_, part) => all.filter((_, index) => index % parts === part));
}

async function violationsOf(visitor: Visitor, address: string): Promise<string[]> {
  const { page } = visitor;
  await visitor.open(address);
  await page.evaluate(axe.source);
  const findings = await page.evaluate<AccessibilityProblem[]>(
    'axe.run().then(({ violations }) => violations)',
  );
  const found = findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${address}  ${id}  ${html.slice(0, 160)}`));
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return overflow > 0 ? [...found, `${address}  is ${overflow} px too wide`] : found;
}
