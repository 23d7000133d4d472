import axe from 'axe-core';
import type { Visitor, VisitorOptions } from './visitor.js';
import type { WebFixture } from './web-fixture.js';

/** The widths and themes in which screens are checked. */
export const LOOKS = [
  { width: 1280, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: 390, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const;

/** Screens that one page visits, one after the other. */
export interface Visit {
  options: Partial<VisitorOptions>;
  addresses: readonly string[];
}

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary: string }[];
}

/** Serious violations that axe finds on these screens, screens that are too wide, and errors of the pages. */
export async function accessibilityProblems(web: WebFixture, visits: readonly Visit[]): Promise<string[]> {
  const found = visits.map(async ({ options, addresses }) => {
    const visitor = await web.visit(options);
    const problems: string[] = [];
    for (const address of addresses) problems.push(...(await problemsOf(visitor, address)));
    await visitor.leave();
    return [...problems, ...visitor.pageErrors];
  });
  return (await Promise.all(found)).flat();
}

async function problemsOf(visitor: Visitor, address: string): Promise<string[]> {
  await visitor.open(address);
  return (await pageProblems(visitor)).map((problem) => `${address}  ${problem}`);
}

/** Screens below this width (px) have each row of a table as a block, unless it fits; see `table.module.css`. */
const NARROW_BELOW = 700;
/** The tables of which a part is out of sight, with what is. */
const WIDE_TABLES = `[...document.querySelectorAll('section:has(> table)')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((it) => it.ariaLabel + ' is ' + (it.scrollWidth - it.clientWidth) + ' px wider than the screen')`;

/**
 * Serious violations that axe finds on the page as it is, and whether it is too wide; on narrow screens also the tables
 * that have values out of sight.
 */
export async function pageProblems({ page }: Pick<Visitor, 'page'>): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}  ${html.slice(0, 160)}`));
  const { width = 0 } = page.viewportSize() ?? {};
  if (width < NARROW_BELOW) found.push(...(await page.evaluate<string[]>(WIDE_TABLES)));
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return overflow > 0 ? [...found, `is ${overflow} px too wide`] : found;
}
