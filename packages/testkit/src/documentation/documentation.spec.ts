import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import {
  anchors,
  commandTexts,
  type Document,
  documents,
  inlineCode,
  links,
  namedPaths,
  pathExists,
  repository,
} from './documents.js';

const PAGES = documents();
const MANIFEST = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
/** Commands of pnpm itself that pages use. */
const PNPM_COMMANDS = ['install', 'exec', 'dlx'];

/** Files that a command of the documentation makes. */
const MADE = ['infra/docker/base.json'];

/** One line per page and name that does not exist. */
function missing(find: (page: Document) => string[]): string[] {
  return PAGES.flatMap((page) => find(page).map((what) => `${page.path}: ${what}`));
}

test('There are pages to check.', () => {
  expect(PAGES.map(({ path: file }) => file)).toEqual(
    expect.arrayContaining([
      'README.md',
      'CONTRIBUTING.md',
      'docs/architecture.md',
      'packages/bus/README.md',
    ]),
  );
});

test('Every link of the documentation leads to a file that exists, and to a heading that it has.', () => {
  const byPath = new Map(PAGES.map((page) => [page.path, page]));
  const isBroken = (page: Document, link: string) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? page.path : path.posix.join(path.posix.dirname(page.path), file);
    if (!pathExists(target)) return true;
    const headings = byPath.get(target);
    return anchor !== undefined && headings !== undefined && !anchors(headings).has(anchor);
  };
  expect(missing((page) => links(page).filter((link) => isBroken(page, link)))).toEqual([]);
});

test('Every file and folder that the documentation names exists.', () => {
  expect(
    missing((page) =>
      commandTexts(page)
        .flatMap(namedPaths)
        .filter((named) => !pathExists(named) && !MADE.includes(named)),
    ),
  ).toEqual([]);
});

test('Every file that the README of a package names below src exists.', () => {
  const readmes = PAGES.filter(({ path: file }) => /^(?:apps|packages)\/[^/]+\/README\.md$/.test(file));
  const absent = readmes.flatMap((page) => {
    const named = inlineCode(page).filter((code) => /^(?:src|bin|native)\/[\w./-]+$/.test(code));
    const folder = path.posix.dirname(page.path);
    return named.map((code) => path.posix.join(folder, code)).filter((file) => !pathExists(file));
  });
  expect(absent).toEqual([]);
});

test('Every script of npm and pnpm that the documentation names exists.', () => {
  const known = new Set([...Object.keys(MANIFEST.scripts), ...PNPM_COMMANDS]);
  const scriptsOf = (text: string) =>
    [...text.matchAll(/(?:^|[\s(&|])(?:pnpm(?: run)?|npm run) ([a-z][\w:-]*)/g)].map(([, name = '']) => name);
  expect(
    missing((page) =>
      commandTexts(page)
        .flatMap(scriptsOf)
        .filter((name) => !known.has(name)),
    ),
  ).toEqual([]);
});

test('Every command of agentclash that the documentation names exists.', () => {
  const reference = PAGES.find(({ path: file }) => path.posix.basename(file) === 'cli.md');
  if (reference === undefined) throw new Error('no reference of the commands');
  const usages = [...reference.prose.matchAll(/^\*\*`agentclash ([^`]+)`\*\*/gm)].map(([, usage = '']) =>
    usage.split(/ (?=[[<-])/, 1).join(''),
  );
  expect(usages.length).toBeGreaterThan(40);
  const known = new Set([...usages, ...usages.flatMap(groupsOf), 'help']);
  const groups = new Set(usages.flatMap(groupsOf));
  const commandsOf = (text: string) =>
    [...text.matchAll(/(?:^|\$\(|[|;&] *)agentclash ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)(?=[\s)]|$)/g)].map(
      ([, words = '']) => words,
    );
  const isKnown = (words: string) => {
    const [first = ''] = words.split(' ');
    return known.has(words) || (known.has(first) && !groups.has(first));
  };
  expect(
    missing((page) =>
      commandTexts(page)
        .flatMap(commandsOf)
        .filter((words) => !isKnown(words)),
    ),
  ).toEqual([]);
});

/** `admin rotate-keys` belongs to `admin`, and so on. */
function groupsOf(usage: string): string[] {
  const words = usage.split(' ');
  return words.slice(1).map((_, index) => words.slice(0, index + 1).join(' '));
}
