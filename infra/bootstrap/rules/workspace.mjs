import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const SCOPE = '@agentclash/';
const KINDS = ['apps', 'packages'];
const SOURCE = /\.(?:ts|tsx|mts|mjs|js)$/;
const TEST = /(?:\.(?:int-|e2e-|nightly-)?spec\.tsx?$)|\/(?:testing|conformance)\//;

/** Every package of the workspace, with its source files read. Paths are relative to the root. */
export function readWorkspace(root) {
  return KINDS.filter((kind) => existsSync(path.join(root, kind))).flatMap((kind) =>
    readdirSync(path.join(root, kind))
      .map((name) => path.posix.join(kind, name))
      .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
      .map((folder) => readPackage(root, folder)),
  );
}

function readPackage(root, folder) {
  const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  return { folder, name: manifest.name.replace(SCOPE, ''), manifest, files: readSources(root, folder) };
}

function readSources(root, folder) {
  const src = path.join(root, folder, 'src');
  if (!existsSync(src)) return [];
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, 'src', file.replaceAll(path.sep, '/')))
    .filter((file) => SOURCE.test(file) && !file.includes('/generated/'))
    .map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      const code = withoutComments(text);
      return { path: file, text, code, bare: withoutStrings(code), isTest: TEST.test(file) };
    });
}

const TOKEN = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const blank = (text) => text.replace(/[^\n]/g, ' ');

/** Comments become spaces; strings stay, since they may look like comments. No position moves. */
function withoutComments(text) {
  return text.replace(TOKEN, (match) => (match.startsWith('/') ? blank(match) : match));
}

/** The rest is certainly code: no position moves here either. */
function withoutStrings(code) {
  return code.replace(TOKEN, blank);
}

/** The text with comments and strings blanked: keywords and identifiers stay where they were. */
export function bareCode(text) {
  return withoutStrings(withoutComments(text));
}

const STATIC_IMPORT =
  /^[ \t]*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^[ \t]*import\s*['"]([^'"]+)['"]/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** Every import of a file as `{target, line, isLazy}`. */
export function importsOf({ code, bare }) {
  const found = [];
  const collect = (pattern, isLazy) => {
    for (const match of code.matchAll(pattern)) {
      const keyword = match.index + match[0].search(/\S/);
      if (bare[keyword] === ' ') continue;
      const target = match[1] ?? match[2];
      const line = code.slice(0, match.index + match[0].lastIndexOf(target)).split('\n').length;
      found.push({ target, line, isLazy });
    }
  };
  collect(STATIC_IMPORT, false);
  collect(DYNAMIC_IMPORT, true);
  return found;
}
