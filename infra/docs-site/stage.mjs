// The source of the site: Markdown with the links of the site, pictures, and what is published as it is.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PICTURES, siteText } from './links.mjs';
import { llmsFullText, llmsText } from './llms.mjs';
import { sitePages } from './pages.mjs';

/** Files that pages link to and that the site has at the same address below its root. */
const PUBLISHED = ['docs/reference/nats-messages.schema.json'];

/** The pages with their texts for the site. */
export function stagedPages(root) {
  const { repository, description } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const site = {
    pages: sitePages(root),
    published: new Map(PUBLISHED.map((file) => [file, file.replace(/^docs/, '')])),
    repositoryUrl: repository.url.replace(/^git\+/, '').replace(/\.git$/, ''),
  };
  const pages = site.pages.map((page) => ({ ...page, siteText: siteText(page, site) }));
  return { pages, summary: description, repositoryUrl: site.repositoryUrl };
}

/** Writes the source of the site into `folder`, over what is there. `base` is the path of the site on its server. */
export function stage(root, folder, base) {
  const { pages, summary, repositoryUrl } = stagedPages(root);
  const write = (file, text) => {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  for (const page of pages) {
    write(page.route, page.siteText);
    // The Markdown itself is published too: programs that read documentation need no HTML.
    write(`public/${page.route}`, page.siteText);
  }
  for (const file of PUBLISHED) write(file.replace(/^docs/, 'public'), readFileSync(path.join(root, file)));
  cpSync(path.join(root, PICTURES), path.join(folder, 'images'), { recursive: true });
  write('public/llms.txt', llmsText(pages, { base, summary }));
  write('public/llms-full.txt', llmsFullText(pages, { base }));
  const tree = pages.map(({ route, section, title }) => ({ route, section, title }));
  write('site.json', JSON.stringify({ base, summary, repositoryUrl, pages: tree }));
}
