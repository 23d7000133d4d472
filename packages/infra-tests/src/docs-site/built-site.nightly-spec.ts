import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openChromium } from '@agentclash/e2e';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { repository } from '../repository.js';
import { serveFolder } from './serve-folder.js';
import { stagedPages } from './site.js';

const MINUTES = 60_000;
const program = path.join(repository, 'infra/docs-site/main.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'built-docs-'));
const { pages } = stagedPages(repository);
const htmlOf = (route: string) => path.join(folder, route.replace(/\.md$/, '.html'));

beforeAll(async () => {
  const build = spawn(process.execPath, [program, 'build', folder, '--base', '/docs/'], { stdio: 'pipe' });
  let printed = '';
  for (const stream of [build.stdout, build.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
    });
  }
  const [code] = await once(build, 'close');
  if (code !== 0) throw new Error(printed);
}, 10 * MINUTES);

afterAll(() => rmSync(folder, { recursive: true }));

/** The addresses of a page below `/docs/`, and the ids of its elements. */
function readPage(file: string) {
  const html = readFileSync(file, 'utf8');
  const hrefs = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href);
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  return { html, hrefs, ids };
}

test('Every guide is a page of the built site, beside its Markdown.', () => {
  const absent = pages.filter(
    ({ route }) => !existsSync(htmlOf(route)) || !existsSync(path.join(folder, route)),
  );
  expect(absent.map(({ file }) => file)).toEqual([]);
  expect(existsSync(path.join(folder, 'llms.txt'))).toBe(true);
  expect(existsSync(path.join(folder, 'llms-full.txt'))).toBe(true);
});

test('Every link of the built site leads to a file and an element that it has.', () => {
  const read = new Map(pages.map(({ route }) => [htmlOf(route), readPage(htmlOf(route))]));
  const broken = [...read].flatMap(([file, { hrefs }]) =>
    hrefs
      .filter((href) => !/^[a-z]+:/.test(href))
      .filter((href) => {
        const { pathname, hash } = new URL(href, `http://site/docs/${path.relative(folder, file)}`);
        if (!pathname.startsWith('/docs/')) return true;
        const target = path.join(folder, pathname.slice('/docs/'.length) || 'index.html');
        if (!existsSync(target)) return true;
        return hash !== '' && !read.get(target)?.ids.has(decodeURIComponent(hash.slice(1)));
      })
      .map((href) => `${path.relative(folder, file)}: ${href}`),
  );
  expect([...read.values()].flatMap(({ hrefs }) => hrefs).length).toBeGreaterThan(2_000);
  expect(broken).toEqual([]);
});

test('The search of the built site needs no other server, and has the texts of the guides.', () => {
  const scripts = readdirSync(path.join(folder, 'assets'), { recursive: true, encoding: 'utf8' });
  const index = scripts.find((name) => /localSearchIndex.*\.js$/.test(name));
  expect(readFileSync(path.join(folder, 'assets', index ?? ''), 'utf8')).toContain(
    'Importing tasks and data',
  );
  for (const { route } of pages) {
    const { html } = readPage(htmlOf(route));
    expect(html.match(/<(?:script|link|img)[^>]* (?:src|href)="(?:https?:)?\/\/[^"]*"/g)).toBeNull();
  }
});

test('Templates and names in angle brackets are shown as the guides write them.', () => {
  const { html } = readPage(htmlOf('challenge-packs.md'));
  expect(html).toContain('{{');
  expect(readPage(htmlOf('reference/cli.md')).html).toContain('&lt;');
});

test(
  'A browser without another server draws the diagrams and finds pages by their text.',
  async () => {
    const { origin, close } = await serveFolder(folder);
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('request', (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
          problems.push(request.url());
      });
      await page.goto(`${origin}/docs/architecture.html`);
      const blocks = page.locator('.language-mermaid');
      const drawn = page.locator('.language-mermaid svg[aria-roledescription]');
      await drawn.nth((await blocks.count()) - 1).waitFor();
      expect(await drawn.count()).toBe(await blocks.count());
      await page.keyboard.press('Control+k');
      await page.locator('.VPLocalSearchBox input').fill('loss report');
      await page
        .locator('.VPLocalSearchBox .result', { hasText: 'Importing tasks and data' })
        .first()
        .click();
      await page.waitForURL(/\/docs\/import\.html/);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      await close();
    }
  },
  5 * MINUTES,
);

test(
  '`pnpm run docs` serves the pages on this machine.',
  async () => {
    const port = await freePort();
    const server = spawn(process.execPath, [program, 'serve', '--port', `${port}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    try {
      server.stdout.setEncoding('utf8');
      for await (const line of server.stdout) if (line.includes(`:${port}`)) break;
      const response = await fetch(`http://127.0.0.1:${port}/quickstart.html`, {
        headers: { accept: 'text/html' },
      });
      expect({ status: response.status, text: await response.text() }).toEqual({
        status: 200,
        text: expect.stringContaining('<div id="app"></div>'),
      });
      const page = await fetch(`http://127.0.0.1:${port}/quickstart.md`);
      expect(await page.text()).toContain('Quickstart');
    } finally {
      if (server.pid !== undefined) process.kill(-server.pid);
      await once(server, 'close');
    }
  },
  5 * MINUTES,
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
