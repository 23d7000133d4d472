// The pages of the site: what docs/README.md lists, in its order and under its headings, then the decisions and the
// pages of the repository's root. A guide that the index does not list is an error, so that none is unreachable.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const INDEX = 'docs/README.md';
const ROOT_PAGES = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/**
 * Every page, as `{ file, route, section, title, text }`: `file` from the repository's root, `route` from the site's,
 * both with the ending `.md`. The index is the first and has no section.
 */
export function sitePages(root) {
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const index = read(INDEX);
  const listed = listedPages(index);
  const decisions = readdirSync(path.join(root, 'docs/adr'))
    .filter((name) => name.endsWith('.md'))
    .sort();
  const files = [
    { file: INDEX, section: '' },
    ...listed,
    ...decisions.map((name) => ({ file: `docs/adr/${name}`, section: 'Decisions' })),
    ...ROOT_PAGES.map((file) => ({ file, section: 'Project' })),
  ];
  const known = new Set(files.map(({ file }) => file));
  const unlisted = markdownBelow(root, 'docs').filter((file) => !known.has(file));
  if (unlisted.length > 0)
    throw new Error(`${INDEX} does not list ${unlisted.join(', ')}: add them to a table`);
  return files.map(({ file, section }) => {
    const text = read(file);
    return { file, route: routeOf(file), section, title: titleOf(file, text), text };
  });
}

/** The pages that the index links to, each once, with the heading above its first link. */
function listedPages(index) {
  const pages = new Map();
  let section = '';
  for (const line of index.split('\n')) {
    section = /^## (.+)$/.exec(line)?.[1] ?? section;
    for (const [, target] of line.matchAll(/\]\(([\w./-]+\.md)\)/g)) {
      const file = path.posix.join('docs', target);
      if (file.startsWith('docs/') && !pages.has(file)) pages.set(file, { file, section });
    }
  }
  return [...pages.values()];
}

function markdownBelow(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const below = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return markdownBelow(root, below);
    return entry.name.endsWith('.md') ? [below] : [];
  });
}

function routeOf(file) {
  if (file === INDEX) return 'index.md';
  return file.startsWith('docs/') ? file.slice('docs/'.length) : `project/${file.toLowerCase()}`;
}

function titleOf(file, text) {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`${file} has no heading of the first level`);
  return title.replaceAll('`', '');
}
