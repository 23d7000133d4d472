import { routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { accessibilityProblems, LOOKS, pageProblems } from './testing/accessibility.js';
import { audited, everyScreen, OPERATOR_SCREENS } from './testing/screens.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(300_000);

const SCRIPT_BYTES_MAX = 250 * 1024;

/** Pages that visit the screens at the same time. */
const PAGES = 3;

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
    const options = [
      '--repetitions',
      '2',
      '--stop-when',
      'decided',
      '--margin',
      '0.1',
      '--label',
      'branch=main',
    ];
    const runId = await web.race(['--pack', 'capital-cities', ...agents, ...options]);
    const run = await web.client.call(routes.runs.get, { params: { run_id: runId } });
    await audited(web, run.challenge_pack_version_id);
    screens = await everyScreen(web, runId);
  }, 180_000);
  afterAll(async () => await web?.close());

  test.each(LOOKS)(
    'every screen has no serious violation that axe finds, and fits $width px, $theme',
    async ({ width, theme }) => {
      const look = { width, theme };
      const visits = [
        ...partsOf(screens, PAGES).map((addresses) => ({ options: look, addresses })),
        { options: { ...look, token: web.operatorToken }, addresses: OPERATOR_SCREENS },
        { options: { ...look, token: undefined }, addresses: ['/'] },
      ];
      const found = await accessibilityProblems(web, visits);
      expect(found).toEqual([]);
    },
  );

  test('a version has the certificate of its audit with the findings, and the ranking of its run has it too', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open(screens.find((address) => address.startsWith('/versions/')) ?? '');
    const panel = page.getByRole('region', { name: 'Audit', exact: true });
    await panel.getByText(/^quick audit (?:passed|failed|incomplete)/).waitFor();
    await panel.getByText(/no policy or gate accepts it/).waitFor();
    await panel.getByRole('table').getByText('cheats', { exact: true }).waitFor();
    await visitor.open(screens.find((address) => address.endsWith('/ranking')) ?? '');
    await page
      .getByText(/^quick audit (?:passed|failed|incomplete)/)
      .first()
      .waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

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

describe('what opens above a screen', () => {
  let web: WebFixture;
  beforeAll(async () => {
    web = await WebFixture.start();
  });
  afterAll(async () => await web?.close());

  test.each(LOOKS)(
    'the palette and the account menu work by keys, without a violation, at $width px, $theme',
    async (look) => {
      const visitor = await web.visit(look);
      const { page } = visitor;
      await visitor.open('/runs');
      await page.keyboard.press('Control+k');
      const box = page.getByRole('combobox', { name: 'Page, run, pack, deployment or action' });
      await box.waitFor();
      expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox');
      expect(await pageProblems(visitor)).toEqual([]);
      await page.keyboard.type('tok');
      await page.getByRole('option', { name: 'Tokens' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
      await page.keyboard.press('Control+k');
      await box.waitFor();
      await page.keyboard.press('Escape');
      await box.waitFor({ state: 'detached' });

      if (look.width < 860) await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await visitor.openAccountMenu();
      await page.getByLabel('Theme').waitFor();
      expect(await pageProblems(visitor)).toEqual([]);
      expect(visitor.pageErrors).toEqual([]);
      await visitor.leave();
    },
  );
});

/** Splits a list into parts of about equal size. */
function partsOf<T>(all: readonly T[], parts: number): T[][] {
  return Array.from({ length: parts }, (_, part) => all.filter((_, index) => index % parts === part));
}
