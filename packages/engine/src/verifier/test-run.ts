import { createHash } from 'node:crypto';
import type { CodeExecutionCheck, GraderExpectation } from '@agentclash/attempt-plan';
import {
  CAPTURE_BYTES_PER_ATTEMPT,
  type JsonValue,
  type PostExecutionCheck,
  valueText,
} from '@agentclash/challengepack';
import type { EventPayloads } from '@agentclash/domain';
import type { ExecResult } from '@agentclash/sandbox';
import type { AttemptEvents } from '../events/attempt-events.js';
import { ToolError } from '../outcome/tool-error.js';
import { type AttemptSandbox, starvedField, tailText } from '../sandbox/attempt-sandbox.js';
import { type ArtifactReader, readArtifact } from '../staging/artifacts.js';
import { withHarness } from './grading-harness.js';
import { collectReports, prepareReports } from './report-files.js';

/** Of each stream; counts are read from it when there is no report. */
const TAIL_BYTES = 64 * 1024;
const SIGNALS = 64;
/** Names the phase to the tests of several. */
const PHASE_VARIABLE = 'AGENTCLASH_PHASE';
const REPORT_BYTES_MAX = 10 * 1024 * 1024;

export interface TestRunContext extends CaptureContext {
  workingDirectory: string;
  /** Of the conversation; absent: the attempt is graded as a whole. */
  phase_id?: string;
  /** Directories that exist only in the verifier sandbox. */
  staged: readonly string[];
}

export type TestRunPayload = EventPayloads['grader.verification.code_executed'];

/** Runs a pack's test command in the workspace and records its result. `command` has its case templates filled. */
export async function runTests(
  { validator_key, timeout_ms, report_path, reports }: CodeExecutionCheck,
  command: string,
  context: TestRunContext,
): Promise<TestRunPayload> {
  const { sandbox, events, roots, phase_id } = context;
  const files =
    reports ?? (report_path === undefined ? [] : [{ path: report_path, format: 'junit' as const }]);
  await prepareReports(files, context);
  const env = phase_id === undefined ? {} : { env: { [PHASE_VARIABLE]: phase_id } };
  const words = await withHarness(command, context);
  const exec = await sandbox.exec(words, { timeoutMs: timeout_ms, roots, ...env });
  const isKilled = wasKilled(exec);
  const report =
    report_path === undefined ? undefined : isKilled ? null : await readReport(report_path, context);
  const run = {
    validator_key,
    ...(phase_id !== undefined && { phase_id }),
    command,
    exit_code: exec.exitCode,
    timed_out: exec.timedOut,
    stdout_tail: tailText(exec.stdout, TAIL_BYTES),
    stderr_tail: tailText(exec.stderr, TAIL_BYTES),
    ...(report !== undefined && { report }),
    ...(reports && { reports: await collectReports(reports, { ...context, isKilled }) }),
    duration_ms: Math.round(exec.durationMs),
    ...starvedField(exec),
  };
  events.record('grader.verification.code_executed', run);
  return run;
}

/** Code under test can kill its harness and leave a report in its place; a shell reports a signal as 128 + number. */
function wasKilled({ signal, exitCode }: ExecResult): boolean {
  return signal !== undefined || (exitCode > 128 && exitCode <= 128 + SIGNALS);
}

async function readReport(path: string, { sandbox, roots }: TestRunContext): Promise<string | null> {
  try {
    const { data } = await sandbox.readFile(path, { roots, length: REPORT_BYTES_MAX });
    return data.toString();
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

export interface ExpectationFile {
  /** Relative to the directory of the grader. */
  path: string;
  content: string | Uint8Array;
}

/** One file for each expectation whose key is a relative path, and `expectations.json` with all of them by key. */
export async function expectationFiles(
  expectations: readonly GraderExpectation[],
  artifacts: ArtifactReader,
  signal: AbortSignal,
): Promise<ExpectationFile[]> {
  const files: ExpectationFile[] = [];
  const byKey: [string, JsonValue][] = [];
  for (const expectation of expectations) {
    const { key } = expectation;
    if ('artifact' in expectation) {
      const content = await readArtifact(expectation.artifact, artifacts, signal);
      files.push({ path: key, content });
      byKey.push([key, new TextDecoder().decode(content)]);
    } else {
      files.push({ path: key, content: valueText(expectation.value) });
      byKey.push([key, expectation.value]);
    }
  }
  const all = { path: 'expectations.json', content: JSON.stringify(Object.fromEntries(byKey)) };
  return [...files.filter(({ path }) => isRelativePath(path) && path !== all.path), all];
}

/** Not absolute, without `..`, backslashes and control characters. */
function isRelativePath(key: string): boolean {
  if (key === '' || key.startsWith('/') || /^[A-Za-z]:/.test(key) || key.includes('\\')) return false;
  return !key.split('/').includes('..') && !hasControlCharacter(key);
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}

interface CaptureContext {
  sandbox: AttemptSandbox;
  events: AttemptEvents;
  /** Directories that may be looked into. */
  roots: readonly string[];
}

/** Records the files and directories that the pack captures. */
export async function captureAll(
  checks: readonly PostExecutionCheck[],
  context: CaptureContext,
): Promise<void> {
  let bytesLeft = CAPTURE_BYTES_PER_ATTEMPT;
  for (const check of checks) {
    if (check.type === 'directory_listing') await captureListing(check, context);
    else bytesLeft -= await captureFile(check, bytesLeft, context);
  }
}

/** Resolves to the number of stored bytes. */
async function captureFile(
  { key, path, max_size_bytes }: PostExecutionCheck,
  bytesLeft: number,
  { sandbox, events, roots }: CaptureContext,
): Promise<number> {
  const length = Math.min(max_size_bytes, bytesLeft);
  const file = await presentOrAbsent(sandbox.readFile(path, { roots, length }));
  if (!file) {
    const absent = { exists: false, bytes: 0, truncated: false, content: null, sha256: null };
    events.record('grader.verification.file_captured', { key, path, ...absent });
    return 0;
  }
  events.record('grader.verification.file_captured', {
    key,
    path,
    exists: true,
    bytes: file.bytes,
    truncated: file.bytes > file.data.length,
    content: file.data.toString(),
    sha256: createHash('sha256').update(file.data).digest('hex'),
  });
  return file.data.length;
}

async function captureListing(
  { key, path, recursive }: PostExecutionCheck,
  { sandbox, events, roots }: CaptureContext,
): Promise<void> {
  const stat = await presentOrAbsent(sandbox.stat(path, { roots }));
  const listing =
    stat?.kind === 'directory' ? await presentOrAbsent(sandbox.list(path, { roots, recursive })) : undefined;
  events.record('grader.verification.directory_listed', {
    key,
    path,
    exists: listing !== undefined,
    entries: (listing?.entries ?? []).map((entry) => ({
      path: entry.path,
      size: entry.bytes,
      is_dir: entry.kind === 'directory',
    })),
  });
}

/** A path that is no reachable file or directory of the workspace does not exist for the grader. */
async function presentOrAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
