import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
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

/** Of all files below a folder that are no build results. */
function fileNames(folder: string): string[] {
  return readdirSync(path.join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name];
    return ['node_modules', 'dist'].includes(entry.name) ? [] : fileNames(path.join(folder, entry.name));
  });
}

/** Names for all specs of a kind. */
const PATTERNS = ['x.spec.ts', 'x.int-spec.ts', 'x.e2e-spec.ts', 'x.nightly-spec.ts'];

test('Every source file that the documentation names without its folder exists.', () => {
  const known = new Set(['apps', 'packages', 'infra', 'examples'].flatMap(fileNames));
  const named = (page: Document) =>
    inlineCode(page).filter((code) => /^[\w.-]+\.(?:ts|tsx|mjs|c|h)$/.test(code) && !PATTERNS.includes(code));
  expect(PAGES.flatMap(named).length).toBeGreaterThan(20);
  expect(missing((page) => named(page).filter((name) => !known.has(name)))).toEqual([]);
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

const FOLDERS = ['apps', 'packages'].flatMap((kind) =>
  readdirSync(path.join(repository, kind))
    .map((name) => `${kind}/${name}`)
    .filter((folder) => existsSync(path.join(repository, folder, 'package.json'))),
);

function readme(folder: string): string {
  const file = path.join(repository, folder, 'README.md');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

describe.each(FOLDERS)('The README of %s', (folder) => {
  const text = readme(folder);
  const manifest = JSON.parse(readFileSync(path.join(repository, folder, 'package.json'), 'utf8'));

  test('The README of a package has 5 to 20 lines, its name as heading, and where to start.', () => {
    const lines = text.split('\n').length - 1;
    expect(lines).toBeGreaterThanOrEqual(5);
    expect(lines).toBeLessThanOrEqual(20);
    expect(text.split('\n')[0]).toBe(`# ${manifest.name}`);
    expect(text).toContain('**Where to start:**');
  });

  test('Every main export that a README names is an export of the package.', () => {
    const paragraph = /\*\*Main exports:\*\*([\s\S]*?)\n\n/.exec(text)?.[1] ?? '';
    const named = [...paragraph.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    const exported = exportsOf(path.join(folder, 'src/index.ts'));
    expect(named.filter((name) => !exported.has(name))).toEqual([]);
    expect(named.length > 0).toBe(exported.size > 0);
  });
});

/** The names that an index re-exports; `export *` is followed into the file. */
function exportsOf(file: string): Set<string> {
  const at = path.join(repository, file);
  if (!existsSync(at)) return new Set();
  const code = readFileSync(at, 'utf8');
  const listed = [...code.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/^\s*type\s+/, '').trim()),
  );
  const renamed = listed.map((name) => name.split(' as ').at(-1) ?? name);
  const declared = [
    ...code.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function|class|type|interface) (\w+)/gm,
    ),
  ].map(([, name = '']) => name);
  const starred = [...code.matchAll(/export (?:type )?\* from '([^']+)'/g)].flatMap(([, target = '']) => [
    ...exportsOf(path.join(path.dirname(file), target.replace(/\.js$/, '.ts'))),
  ]);
  return new Set([...renamed, ...declared, ...starred].filter((name) => name !== ''));
}

test('README.md lists every folder of apps and packages, and no other.', () => {
  const page = readFileSync(path.join(repository, 'README.md'), 'utf8');
  const listed = ['apps', 'packages'].flatMap((kind) => {
    const [, row = ''] = new RegExp(`^\\| \`${kind}/\` \\|(.*)$`, 'm').exec(page) ?? [];
    return [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => `${kind}/${name}`);
  });
  expect(listed.sort()).toEqual([...FOLDERS].sort());
});

const RULES = pathToFileURL(path.join(repository, 'infra/bootstrap/rules/dependency-table.mjs')).href;

test('The table of dependencies in docs/architecture.md is the one that lint enforces.', async () => {
  const { MAY_DEPEND_ON }: { MAY_DEPEND_ON: Record<string, string[]> } = await import(RULES);
  const page = readFileSync(path.join(repository, 'docs/architecture.md'), 'utf8');
  const [, section = ''] = page.split('## Who may depend on whom');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(
    Object.entries(MAY_DEPEND_ON).map(([name, targets]) => {
      const listed = targets.map((target) => `\`${target}\``).join(', ');
      return `| \`${name}\` | ${listed || 'nothing'} |`;
    }),
  );
});
