// The site of the documentation. `main.mjs` stages the pages and names the folders by environment variables.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { anchorOf } from '../links.mjs';

const cache = path.resolve(import.meta.dirname, '../.cache');
const source = path.join(cache, 'source');
const site = JSON.parse(readFileSync(path.join(source, 'site.json'), 'utf8'));

const link = ({ route, title }) => ({ text: title, link: `/${route}` });
const sections = Map.groupBy(
  site.pages.filter(({ section }) => section !== ''),
  ({ section }) => section,
);

export default {
  title: 'AgentClash',
  description: site.summary,
  lang: 'en',
  base: site.base,
  // Without a picture of its own a browser would look for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: source,
  srcExclude: ['public/**'],
  cacheDir: path.join(cache, 'vite'),
  vite: { publicDir: path.join(source, 'public'), build: { chunkSizeWarningLimit: 4_096 } },
  markdown: {
    // Pages are plain Markdown, as GitHub shows it: `<name>` is text, and so is `{{field}}`.
    html: false,
    linkify: false,
    anchor: { slugify: anchorOf },
    config(md) {
      for (const rule of ['text', 'code_inline']) {
        const render = md.renderer.rules[rule];
        md.renderer.rules[rule] = (...given) => render(...given).replaceAll('{', '&#123;');
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Quickstart', link: '/quickstart.md' },
      { text: 'Commands', link: '/reference/cli.md' },
    ],
    sidebar: [...sections].map(([text, pages]) => ({
      text,
      collapsed: text === 'Decisions',
      items: pages.map(link),
    })),
    socialLinks: [{ icon: 'github', link: site.repositoryUrl }],
  },
};
