import {
  jsonText,
  type ValidatorConfigs,
  type ValidatorOf,
  type ValidatorType,
} from '@agentclash/challengepack';
import type { CollectedReport } from '@agentclash/domain';
import { resolveReference } from '../evidence/resolve.js';
import { toolTrace, workingCalls } from '../evidence/tool-trace.js';
import type { AttemptEvidence } from '../evidence/types.js';
import {
  type CodeExecution,
  findCapture,
  findExecutions,
  findListing,
  findScript,
} from '../evidence/verification.js';
import { checkKeyOf } from './files.js';
import { reportInWords } from './report-text.js';

/** The two sides of a comparison, for readers of a scorecard; null: there was nothing. */
export interface Compared {
  readonly expected: Excerpt | null;
  readonly actual: Excerpt | null;
}

/** The values that a validator compared. Of a large text it holds a part, with the offset of that part. */
export function comparedBy<T extends ValidatorType>(
  validator: ValidatorOf<T>,
  evidence: AttemptEvidence,
): Compared {
  const { expected_from } = validator;
  const expected =
    expected_from === undefined
      ? EXPECTED_BY_CONFIG[validator.type]?.(validator.config)
      : textOf(expected_from, evidence);
  return excerpts(expected ?? null, actualOf(validator, evidence) ?? null);
}

function textOf(reference: string, evidence: AttemptEvidence): string | undefined {
  const found = resolveReference(reference, evidence);
  return found.state === 'resolved' ? found.text : undefined;
}

function actualOf<T extends ValidatorType>(
  { key, type, target }: ValidatorOf<T>,
  evidence: AttemptEvidence,
): string | undefined {
  const { events } = evidence;
  if (type === 'code_execution') return testRunText(events, key);
  if (type === 'script') return scriptText(events, key);
  if (target === 'tool_calls') return toolCallText(events);
  const check = checkKeyOf(target);
  if (check === '') return textOf(target, evidence);
  const [capture, listing] = [findCapture(events, check), findListing(events, check)];
  if (capture !== undefined) return capture.exists ? capture.content : '(no such file)';
  if (listing === undefined) return undefined;
  return listing.exists
    ? listing.entries.map(({ path, is_dir }) => `${path}${is_dir ? '/' : ''}`).join('\n')
    : '(no such folder)';
}

/** The names of the calls, as the tool validators count them. */
function toolCallText(events: AttemptEvidence['events']): string {
  const calls = workingCalls(toolTrace(events));
  return calls.length === 0
    ? '(no tool call)'
    : calls.map(({ tool_name: name, failed }) => (failed ? `${name} (failed)` : name)).join(', ');
}

function testRunText(events: AttemptEvidence['events'], key: string): string | undefined {
  const texts = findExecutions(events, key).map(executionText);
  return texts.length === 0 ? undefined : texts.join('\n');
}

function executionText({ phase_id, report, reports, ...execution }: CodeExecution): string {
  const { stdout_tail, stderr_tail, exit_code, timed_out } = execution;
  const ended = timed_out ? 'timed out' : exit_code === null ? 'ended by a signal' : `exit code ${exit_code}`;
  const counts = report === null ? reportsText(reports) : junitCounts(report);
  const printed = [stdout_tail, stderr_tail].map((text) => text.trimEnd()).filter((text) => text !== '');
  const head = [counts, ended].filter((part) => part !== undefined).join(', ');
  return [phase_id === undefined ? head : `${phase_id}: ${head}`, ...printed].join('\n');
}

function scriptText(events: AttemptEvidence['events'], key: string): string | undefined {
  const execution = findScript(events, key);
  if (execution === undefined) return undefined;
  const { stdout, stderr_tail, exit_code, timed_out } = execution;
  const ended = timed_out ? 'timed out' : exit_code === null ? 'ended by a signal' : `exit code ${exit_code}`;
  return [ended, stdout.trimEnd(), stderr_tail.trimEnd()].filter((text) => text !== '').join('\n');
}

/** The reports that were found, in words; of several each with its path. */
function reportsText(reports: readonly CollectedReport[] = []): string | undefined {
  const found = reports.filter(({ state }) => state !== 'missing');
  if (found.length === 0) return reports.length === 0 ? undefined : 'no report';
  const [only] = found;
  if (found.length === 1 && only !== undefined) return reportInWords(only);
  return found.map((report) => `${report.path}: ${reportInWords(report)}`).join('; ');
}

/** The counts of a JUnit report's outermost element. */
function junitCounts(report: string): string | undefined {
  const head = /<testsuites?\b[^>]{0,2000}>/.exec(report.slice(0, 10_000))?.[0];
  const counts = [...(head ?? '').matchAll(/\b(tests|failures|errors|skipped)="(\d{1,9})"/g)];
  return counts.length === 0 ? undefined : counts.map(([, name, number]) => `${number} ${name}`).join(', ');
}

type ConfigText = (config: ValidatorConfigs[ValidatorType]) => string | undefined;

/** The expectations of types without an expected text, from their config. */
const EXPECTED_BY_CONFIG: Partial<Record<ValidatorType, ConfigText>> = {
  number_range: of<'number_range'>(({ min, max, exclusive_min, exclusive_max }) =>
    rangeText({
      from: min === undefined ? undefined : `${exclusive_min ? 'more than' : 'at least'} ${min}`,
      to: max === undefined ? undefined : `${exclusive_max ? 'less than' : 'at most'} ${max}`,
    }),
  ),
  length_range: of<'length_range'>(({ min, max, unit }) => {
    const range = rangeText({
      from: min === undefined ? undefined : `at least ${min}`,
      to: max === undefined ? undefined : `at most ${max}`,
    });
    return range && `${range} ${unit}`;
  }),
  xml_valid: () => 'well-formed XML',
  file_exists: of<'file_exists'>(({ must_exist }) => (must_exist ? 'a file' : '(no such file)')),
  file_json_schema: of<'file_json_schema'>(({ schema }) => jsonText(schema)),
  directory_structure: of<'directory_structure'>((config) =>
    Object.entries(config)
      .filter(([, paths]) => paths.length > 0)
      .map(([rule, paths]) => `${rule.replaceAll('_', ' ')}: ${paths.join(', ')}`)
      .join('; '),
  ),
  postcondition: (config) => jsonText(config),
  code_execution: of<'code_execution'>(({ pass_threshold: share }) =>
    share === 1 ? 'every test passes' : `a share of ${share} of the tests passes`,
  ),
  script: () => 'the script passes it',
  tool_call_assertion: (config) => jsonText(config),
  trajectory_match: of<'trajectory_match'>(({ expected }) =>
    expected?.map(({ tool_name: name }) => name).join(', '),
  ),
};

function of<T extends ValidatorType>(text: (config: ValidatorConfigs[T]) => string | undefined): ConfigText {
  return (config) => text(config as ValidatorConfigs[T]);
}

function rangeText({ from, to }: { from: string | undefined; to: string | undefined }): string | undefined {
  const parts = [from, to].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** A text, or a part of one. */
interface Excerpt {
  readonly text: string;
  /** Where the part begins, in UTF-16 code units; absent: at the beginning. */
  readonly from?: number;
  /** The length of the whole text; absent: `text` is all of it. */
  readonly length?: number;
}

/** In code units. A scorecard with 30 failed validators stays below 150 kB. */
const EXCERPT_MAX = 2_000;
/** Code units kept before the first difference. */
const CONTEXT = 200;

/** Both texts, each cut to the same window, in which they first differ. */
export function excerpts(
  expected: string | null,
  actual: string | null,
): { expected: Excerpt | null; actual: Excerpt | null } {
  const isLong = (text: string | null) => text !== null && text.length > EXCERPT_MAX;
  if (!isLong(expected) && !isLong(actual)) {
    return { expected: excerptOf(expected, 0), actual: excerptOf(actual, 0) };
  }
  const shared = expected === null || actual === null ? 0 : sharedLength(expected, actual);
  // Where all of the shorter text is shared, its end is what matters.
  const from = Math.max(0, shared - CONTEXT);
  return { expected: excerptOf(expected, from), actual: excerptOf(actual, from) };
}

/** The number of equal code units at the beginning of the texts. */
function sharedLength(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  let index = 0;
  while (index < end && left.charCodeAt(index) === right.charCodeAt(index)) index += 1;
  return index;
}

function excerptOf(text: string | null, from: number): Excerpt | null {
  if (text === null) return null;
  if (text.length <= EXCERPT_MAX && from === 0) return { text };
  const start = isInsidePair(text, from) ? from - 1 : from;
  const end = Math.min(text.length, start + EXCERPT_MAX);
  const part = text.slice(start, isInsidePair(text, end) ? end - 1 : end);
  return { text: part, ...(start > 0 && { from: start }), length: text.length };
}

/** True when a cut here would part a surrogate pair. */
function isInsidePair(text: string, index: number): boolean {
  return (
    index > 0 &&
    index < text.length &&
    /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1))
  );
}
