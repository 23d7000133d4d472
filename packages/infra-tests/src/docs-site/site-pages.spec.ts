import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { repository } from '../repository.js';
import { anchorOf, llmsFullText, llmsText, type SitePage, sitePages, stagedPages } from './site.js';

const { pages, summary, repositoryUrl } = stagedPages(repository);
const byRoute = new Map(pages.map((page) => [page.route, page]));
const copies: string[] = [];

afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true });
});

/** The documentation in a folder of its own. */
function copyOfDocs(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'docs-site-'));
  copies.push(root);
  for (const name of ['docs', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package.json']) {
    cpSync(path.join(repository, name), path.join(root, name), { recursive: true });
  }
  return root;
}

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

function linksOf({ siteText }: SitePage): string[] {
  return [...withoutCode(siteText).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
}

function anchorsOf({ siteText }: SitePage): Set<string> {
  const headings = [...siteText.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)];
  const counts = new Map<string, number>();
  return new Set(
    headings.map(([, heading = '']) => {
      const anchor = anchorOf(heading);
      const count = counts.get(anchor) ?? 0;
      counts.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    }),
  );
}

test('Every Markdown file below docs is a page of the site, with its title.', () => {
  const files = readdirSync(path.join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  expect(pages.map(({ file }) => file)).toEqual(expect.arrayContaining(files));
  expect(pages.filter(({ title }) => title === '')).toEqual([]);
  expect(new Set(pages.map(({ route }) => route)).size).toBe(pages.length);
});

test('Every link of the site leads to a page and to a heading that it has.', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter(
        (link) => /^[.#]/.test(link) && !link.startsWith('./images/') && !link.startsWith('./../images/'),
      )
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const route = file === '' ? page.route : path.posix.join(path.posix.dirname(page.route), file);
        const target = byRoute.get(route);
        return target === undefined || (anchor !== undefined && !anchorsOf(target).has(anchor));
      })
      .map((link) => `${page.file}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('A link out of docs leads to the source of the repository, and a published file to its copy.', () => {
  const all = pages.flatMap(linksOf);
  expect(all).toContain(`${repositoryUrl}/blob/main/examples/internal-service.mjs`);
  expect(all).toContain('/reference/nats-messages.schema.json');
  expect(all.filter((link) => link.startsWith('../') || link.includes('/./'))).toEqual([]);
});

test('A code block keeps its text, with what looks like a link in it.', () => {
  const root = copyOfDocs();
  const block = '```text\n[a](b.md) and {{field}}\n```\n';
  writeFileSync(
    path.join(root, 'docs/quickstart.md'),
    `# Quickstart\n\n\`[c](d.md)\` [e](races.md)\n\n${block}`,
  );
  const quickstart = stagedPages(root).pages.find(({ route }) => route === 'quickstart.md');
  expect(quickstart?.siteText).toBe(`# Quickstart\n\n\`[c](d.md)\` [e](./races.md)\n\n${block}`);
});

test('A guide that the index does not list is an error that names it.', () => {
  const root = copyOfDocs();
  writeFileSync(path.join(root, 'docs/unlisted.md'), '# Unlisted\n');
  expect(() => sitePages(root)).toThrow('docs/README.md does not list docs/unlisted.md: add them to a table');
});

test('A page without a heading of the first level is an error that names it.', () => {
  const root = copyOfDocs();
  writeFileSync(path.join(root, 'docs/races.md'), 'No heading.\n');
  expect(() => sitePages(root)).toThrow('docs/races.md has no heading of the first level');
});

test('llms.txt has a link to the Markdown of every page, and llms-full.txt the text of every guide.', () => {
  const list = llmsText(pages, { base: '/docs/', summary });
  const linked = [...list.matchAll(/^- \[.+\]\(\/docs\/(.+\.md)\)$/gm)].map(([, route]) => route);
  expect(linked).toEqual(pages.map(({ route }) => route).filter((route) => route !== 'index.md'));
  expect(list.split('\n').slice(0, 3)).toEqual(['# AgentClash', '', `> ${summary}`]);
  const full = llmsFullText(pages, { base: '/docs/' });
  const guides = pages.filter(({ section }) => !['Decisions', 'Project'].includes(section));
  expect(guides.filter(({ siteText }) => !full.includes(siteText.trim()))).toEqual([]);
});
