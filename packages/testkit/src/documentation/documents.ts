import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export const repository = path.resolve(import.meta.dirname, '../../../..');

/** A page of Markdown. */
export interface Document {
  /** Relative to the repository. */
  path: string;
  /** The text without its fenced blocks. */
  prose: string;
  blocks: { language: string; text: string }[];
}

const FOLDERS = ['docs', 'apps', 'packages', 'examples'];
const SKIPPED = new Set(['node_modules', 'dist', 'src', 'recordings', 'golden', 'images']);
const BLOCK = /^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm;

/** Every page of the repository, by path. */
export function documents(): Document[] {
  const top = readdirSync(repository).filter((name) => name.endsWith('.md'));
  return [...top, ...FOLDERS.flatMap(pagesBelow)].map(readDocument);
}

function pagesBelow(folder: string): string[] {
  return readdirSync(path.join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const below = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : pagesBelow(below);
    return entry.name.endsWith('.md') ? [below] : [];
  });
}

function readDocument(file: string): Document {
  const text = readFileSync(path.join(repository, file), 'utf8');
  const blocks = [...text.matchAll(BLOCK)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
  return { path: file, prose: text.replace(BLOCK, ''), blocks };
}

/** The parts of the prose between backticks. */
export function inlineCode({ prose }: Document): string[] {
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** Texts that a reader may type: inline code, and blocks of shell commands. */
export function commandTexts(document: Document): string[] {
  const shell = document.blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  return [...inlineCode(document), ...shell.flatMap((text) => text.split('\n'))];
}

/** The targets of links, without those of other sites. */
export function links({ prose }: Document): string[] {
  const text = prose.replace(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that the headings of a page have where Markdown is shown. */
export function anchors({ prose }: Document): Set<string> {
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  const seen = new Map<string, number>();
  return new Set(
    headings.map((anchor) => {
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    }),
  );
}

function anchorOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
}

const PATH = /(?<![\w./-])(?:apps|packages|infra|docs|examples|\.ci)\/[\w.<>*@/-]*\w[>*]?\/?/g;

/** Paths of the repository that a text names, from the repository's root. */
export function namedPaths(text: string): string[] {
  return [...text.matchAll(PATH)].map(([named]) => named.replace(/\/$/, ''));
}

/** True when a path exists; `<name>` and `*` match any name, and a built file is looked up as its source. */
export function pathExists(named: string): boolean {
  const source = named.replace(/\/dist\/(.*)\.js$/, '/src/$1.ts').replace(/\/dist$/, '/src');
  return expandPath([''], source.split('/')).length > 0;
}

function expandPath(found: string[], [segment, ...rest]: string[]): string[] {
  if (segment === undefined) return found;
  const isPattern = /[<*]/.test(segment);
  const pattern = new RegExp(`^${segment.replaceAll('.', '\\.').replace(/<[^>]*>|\*/g, '.+')}$`);
  const next = found.flatMap((folder) => {
    const at = path.join(repository, folder);
    const names = isPattern ? namesIn(at).filter((name) => pattern.test(name)) : [segment];
    return names
      .map((name) => path.join(folder, name))
      .filter((one) => existsSync(path.join(repository, one)));
  });
  return expandPath(next, rest);
}

function namesIn(folder: string): string[] {
  return statSync(folder).isDirectory() ? readdirSync(folder) : [];
}
