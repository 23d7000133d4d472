import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DENIED_OPENINGS, DENY_LIST } from './deny-list.mjs';
import { bareCode } from './workspace.mjs';

/**
 * `notYetClean`: the folders that are left out until their last denied word is gone (the list only shrinks; every other
 * file is checked), and exact `exceptions`: `{path, word, reason}`, for a file or a folder. An entry of either list that
 * nothing needs any more is a violation too.
 */
const WORDING_FILE = 'infra/lint/wording.json';
const CHECKED =
  /\.(?:tsx?|mjs|cjs|js|md|prisma|css|html|sh|py|c|h|ya?ml|conf|sql|txt)$|\/package\.json$|(?:^|\/)Dockerfile[^/]*$/;
/** Files of keys and data: only their comments are read, and the descriptions of infra/ (those of packs are data). */
const COMMENTS_ONLY = /\.(?:ya?ml|conf|sql)$|(?:^|\/)Dockerfile[^/]*$/;
const DESCRIPTION = /^[\s-]*(?:summary|description): (.*)$/;
const COMMENT = /(?:^|\s)(?:#|--)(.*)$/;
const CODE = /\.(?:tsx?|mjs|cjs|js)$/;
const PROSE = /\.(?:md|txt)$/;
/** The first word of a line of a comment. */
const OPENING = /(?:^\s*(?:\*|#|--)|(?:^|\s)(?:\/\*\*?|\/\/))\s*([A-Z][a-z]+)/;
const SKIPPED =
  /(?:^|\/)(?:node_modules|dist|generated|prisma\/migrations|pnpm-lock\.yaml|\.[^/]+|deny-list\.mjs)(?:\/|$)/;
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
/** Most lines hold none: one pass excludes them. */
const ANY_DENIED = new RegExp(`\\b(?:${DENY_LIST.flatMap(({ words }) => words).join('|')})\\b`);

/** Checks the repository but its folders that are not yet clean, or the given folders, against the deny-list. */
export function checkWording(root, folders) {
  const file = path.join(root, WORDING_FILE);
  const { notYetClean = [], exceptions = [] } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {};
  const used = new Set();
  const isLeftOut = (at) => folders === undefined && notYetClean.some((folder) => isIn(at, folder));
  const isExcepted = ({ path: at, word }) => {
    const exception = exceptions.find((one) => one.word === word && isIn(at, one.path));
    used.add(exception);
    return exception !== undefined;
  };
  const found = (folders ?? ['.'])
    .flatMap((folder) => filesOf(root, folder))
    .flatMap((at) => checkFile(root, at))
    .filter((violation) => !isExcepted(violation));
  const violations = found
    .filter((violation) => !isLeftOut(violation.path))
    .map(({ path: at, line, word, use }) => ({
      at: line === undefined ? at : `${at}:${line}`,
      message: `${word} → use ${use}`,
    }));
  return [...violations, ...checkLists({ root, folders, notYetClean, exceptions, found, used })];
}

/** Folders that do not exist or have become clean, exceptions without a reason, and those that nothing needs any more. */
function checkLists({ root, folders, notYetClean, exceptions, found, used }) {
  const absent = [...(folders ?? []), ...notYetClean].filter(
    (folder) => !existsSync(path.join(root, folder)),
  );
  const hasBecomeClean = (folder) =>
    !absent.includes(folder) && !found.some(({ path: at }) => isIn(at, folder));
  const inScope = exceptions.filter(({ path: at }) => folders?.some((folder) => isIn(at, folder)) ?? true);
  return [
    ...absent.map((folder) => `${folder} does not exist`),
    ...(folders ? [] : notYetClean.filter(hasBecomeClean)).map(
      (folder) => `${folder} holds no denied word any more: delete its line of notYetClean`,
    ),
    ...exceptions
      .filter(({ reason = '' }) => reason.trim() === '')
      .map(({ path: at, word }) => `the exception of "${word}" in ${at} has no reason`),
    ...inScope
      .filter((exception) => !used.has(exception))
      .map(({ path: at, word }) => `"${word}" in ${at} needs no exception any more`),
  ].map((message) => ({ at: WORDING_FILE, message }));
}

function isIn(file, folder) {
  return file === folder || file.startsWith(`${folder}/`);
}

function filesOf(root, folder) {
  const absolute = path.join(root, folder);
  if (!existsSync(absolute)) return [];
  if (statSync(absolute).isFile()) return [folder];
  return readdirSync(absolute, { withFileTypes: true })
    .map((entry) => ({ entry, file: path.posix.join(folder, entry.name) }))
    .filter(({ file }) => !SKIPPED.test(file))
    .flatMap(({ entry, file }) =>
      entry.isDirectory() ? filesOf(root, file) : CHECKED.test(file) ? [file] : [],
    );
}

function checkFile(root, at) {
  const text = readFileSync(path.join(root, at), 'utf8');
  const bare = CODE.test(at) ? bareCode(text).split('\n') : [];
  const inPath = deniedWords(at, at).map((found) => ({ ...found, path: at }));
  const lines = text.split('\n');
  const inText = (COMMENTS_ONLY.test(at) ? lines.map((line) => proseOf(line, at)) : lines).flatMap(
    (line, index) =>
      [...deniedWords(line, bare[index] ?? ''), ...(PROSE.test(at) ? [] : deniedOpenings(lines[index]))].map(
        (found) => ({ ...found, path: at, line: index + 1 }),
      ),
  );
  return [...inPath, ...inText];
}

function proseOf(line, at) {
  const description = isIn(at, 'infra') ? DESCRIPTION.exec(line) : null;
  return (description ?? COMMENT.exec(line))?.[1] ?? '';
}

/** The denied words of a text; those denied in identifiers only are looked for in `identifiers`. */
function deniedWords(text, identifiers) {
  if (!ANY_DENIED.test(splitIntoWords(text))) return [];
  return DENY_LIST.flatMap(({ words, use, except = [], in: scope }) => {
    const source = scope === 'identifiers' ? identifiers : text;
    const searched = except.reduce((rest, phrase) => rest.replaceAll(phrase, ' '), source);
    const found = splitIntoWords(searched);
    return words.flatMap((word) => occurrences(found, word).map(() => ({ word, use })));
  });
}

function deniedOpenings(line) {
  const [, first] = OPENING.exec(line) ?? [];
  return DENIED_OPENINGS.filter(({ word }) => word === first);
}

/** `runOfWorkspace` becomes "run of workspace". */
function splitIntoWords(text) {
  return (text.match(WORD) ?? []).join(' ').toLowerCase();
}

function occurrences(text, word) {
  return [...text.matchAll(new RegExp(`(?<![a-z])${word}(?![a-z])`, 'g'))];
}
