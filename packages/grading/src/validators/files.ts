import {
  collapseWhiteSpace,
  jsonEquals,
  parseReference,
  readJson,
  type ValidatorConfigs,
  type ValidatorType,
} from '@agentclash/challengepack';
import { type EvidencePointer, pointTo } from '../evidence/pointer.js';
import {
  type DirectoryListing,
  type FileCapture,
  findCapture,
  findListing,
} from '../evidence/verification.js';
import { judgeNodes } from './json.js';
import { type Finding, fail, type Judgement, passIf } from './judgement.js';
import type { PostconditionCheck } from './postcondition-check.js';
import { notCollected, textValidator } from './text-target.js';
import type { ValidatorInput } from './validator.js';

function fileExists(input: ValidatorInput<'file_exists'>): Finding {
  const found = captureOrListingOf(input);
  if (found === undefined) return notCollected(input.evidence);
  return { ...judgeExistence(found.evidence.exists, input.config.must_exist), pointer: found.pointer };
}

function judgeExistence(exists: boolean, mustExist: boolean): Judgement {
  return passIf(exists === mustExist, mustExist ? 'file_missing' : 'file_present');
}

type MatchMode = ValidatorConfigs['file_content_match']['match_mode'];
type TextMode = Exclude<MatchMode, 'regex' | 'json_equal'>;

const TEXT_MODES: { readonly [M in TextMode]: (actual: string, expected: string) => Judgement } = {
  contains: (actual, expected) => passIf(actual.includes(expected), 'not_found'),
  exact: (actual, expected) => passIf(actual === expected, 'not_equal'),
  not_contains: (actual, expected) => passIf(!actual.includes(expected), 'forbidden_found'),
};
const FINAL_MODES: ReadonlySet<MatchMode> = new Set(['contains', 'regex']);

const fileContentMatch = textValidator<'file_content_match'>(
  (actual, { expected, config: { match_mode, ignore_whitespace } }) => {
    if (expected.kind === 'regex') return passIf(expected.regex.test(actual), 'not_found');
    if (expected.kind === 'json') return judgeJson(actual, expected.value);
    const seen = (text: string) => (ignore_whitespace ? collapseWhiteSpace(text) : text);
    return textMode(match_mode)(seen(actual), seen(expected.text));
  },
  { isPassFinal: ({ config }) => FINAL_MODES.has(config.match_mode) },
);

/** Deep equality of a text's JSON value with the wanted one. */
function judgeJson(actual: string, wanted: unknown): Judgement {
  const reading = readJson(actual);
  return reading.ok ? passIf(jsonEquals(reading.value, wanted), 'not_equal') : fail('unparsable_output');
}

function textMode(mode: MatchMode): (actual: string, expected: string) => Judgement {
  return mode === 'regex' || mode === 'json_equal' ? TEXT_MODES.exact : TEXT_MODES[mode];
}

function directoryStructure(input: ValidatorInput<'directory_structure'>): Finding {
  const found = listingOf(input);
  if (found === undefined) return notCollected(input.evidence);
  const { evidence: listing, pointer } = found;
  if (!listing.exists) return { ...fail('file_missing'), pointer };
  const { required_files, required_directories, forbidden_files } = input.config;
  const kinds = kindsByPath(listing);
  const kindOf = (path: string) => kinds.get(withoutEndSlash(path));
  const isAsExpected =
    required_files.every((path) => kindOf(path) === 'file') &&
    required_directories.every((path) => kindOf(path) === 'directory') &&
    forbidden_files.every((path) => kindOf(path) === undefined);
  return { ...passIf(isAsExpected, 'structure_mismatch'), pointer };
}

type EntryKind = 'file' | 'directory';

/** The entries by path, absolute and relative to the listing. */
function kindsByPath({ path, entries }: DirectoryListing): Map<string, EntryKind> {
  const base = `${withoutEndSlash(path)}/`;
  const kinds = new Map<string, EntryKind>();
  for (const entry of entries) {
    const kind = entry.is_dir ? 'directory' : 'file';
    const name = withoutEndSlash(entry.path);
    const relative = name.startsWith(base) ? name.slice(base.length) : name;
    kinds.set(relative, kind).set(name.startsWith('/') ? name : base + relative, kind);
  }
  return kinds;
}

function withoutEndSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

type ContentCheck = Exclude<PostconditionCheck, { condition: 'exists' | 'not_exists' }>;

const FINAL_CONDITIONS: ReadonlySet<PostconditionCheck['condition']> = new Set(['contains', 'regex_match']);

function postcondition(input: ValidatorInput<'postcondition'>): Finding {
  const { condition } = input.expected;
  if (condition !== 'exists' && condition !== 'not_exists') return judgeFile(input);
  const found = captureOrListingOf(input);
  if (found === undefined) return notCollected(input.evidence);
  return { ...judgeExistence(found.evidence.exists, condition === 'exists'), pointer: found.pointer };
}

const judgeFile = textValidator<'postcondition'>(
  (actual, { expected }) =>
    isContentCheck(expected) ? judgeContent(actual, expected) : fail('file_missing'),
  { isPassFinal: ({ expected }) => FINAL_CONDITIONS.has(expected.condition) },
);

function judgeContent(actual: string, check: ContentCheck): Judgement {
  switch (check.condition) {
    case 'contains':
      return passIf(actual.includes(check.value), 'not_found');
    case 'not_contains':
      return passIf(!actual.includes(check.value), 'forbidden_found');
    case 'regex_match':
      return passIf(check.regex.test(actual), 'not_found');
    case 'equals':
      return typeof check.value === 'string'
        ? passIf(actual === check.value, 'not_equal')
        : judgeJson(actual, check.value);
    case 'json_path_match': {
      const reading = readJson(actual);
      return reading.ok ? judgeNodes(reading.value, check.assertion) : fail('unparsable_output');
    }
  }
}

function isContentCheck(check: PostconditionCheck): check is ContentCheck {
  return check.condition !== 'exists' && check.condition !== 'not_exists';
}

/** The key of the check that a `file:` target names. */
export function checkKeyOf(target: string): string {
  const reference = parseReference(target);
  return reference?.kind === 'file' ? reference.check : '';
}

interface Found<E> {
  readonly evidence: E;
  readonly pointer: EvidencePointer | null;
}

/** The listing that the target names, if it was collected. */
function listingOf(input: ValidatorInput<ValidatorType>): Found<DirectoryListing> | undefined {
  const artifact = checkKeyOf(input.target);
  const evidence = findListing(input.evidence.events, artifact);
  return evidence && { evidence, pointer: pointTo([evidence], { artifact }) };
}

/** The capture or listing that the target names, if it was collected. */
function captureOrListingOf(
  input: ValidatorInput<ValidatorType>,
): Found<FileCapture | DirectoryListing> | undefined {
  const artifact = checkKeyOf(input.target);
  const evidence = findCapture(input.evidence.events, artifact);
  return evidence ? { evidence, pointer: pointTo([evidence], { artifact }) } : listingOf(input);
}

export const FILES = {
  file_exists: fileExists,
  file_content_match: fileContentMatch,
  directory_structure: directoryStructure,
  postcondition,
};
