import {
  type CollectedReport,
  type ExecutionEventType,
  isRecord,
  numberIn,
  type PayloadOf,
  REPORT_STATES,
  textIn,
} from '@agentclash/domain';
import type { EvidenceEvent } from './types.js';

/** A file as the verifier found it. */
export interface FileCapture {
  readonly sequence_number: number;
  readonly exists: boolean;
  /** Empty when the file does not exist. */
  readonly content: string;
  /** True when the content stops before the file does. */
  readonly isTruncated: boolean;
}

interface ListedEntry {
  readonly path: string;
  readonly is_dir: boolean;
}

/** A directory as the verifier found it. */
export interface DirectoryListing {
  readonly sequence_number: number;
  readonly path: string;
  readonly exists: boolean;
  readonly entries: readonly ListedEntry[];
}

/** A test run in the verifier. */
export interface CodeExecution {
  readonly sequence_number: number;
  /** The phase of the conversation that it grades; absent: the attempt. */
  readonly phase_id?: string;
  /** As it was executed. */
  readonly command: string;
  /** Null when a signal ended it. */
  readonly exit_code: number | null;
  readonly timed_out: boolean;
  readonly stdout_tail: string;
  readonly stderr_tail: string;
  /** The report file's text; null when there was none. */
  readonly report: string | null;
  /** The reports of a run that names their formats, in the order of the pack. */
  readonly reports?: readonly CollectedReport[];
}

/** A script of the pack in the verifier. */
export interface ScriptExecution {
  readonly sequence_number: number;
  /** Null when a signal ended it. */
  readonly exit_code: number | null;
  readonly timed_out: boolean;
  readonly oom: boolean;
  /** The end of the output. */
  readonly stdout: string;
  readonly stdout_bytes: number;
  readonly stderr_tail: string;
  /** It was not run. */
  readonly evidence_too_large: boolean;
}

/** The last capture for the check with this key. */
export function findCapture(events: readonly EvidenceEvent[], key: string): FileCapture | undefined {
  const event = findLast(events, 'grader.verification.file_captured', ofCheck(key));
  if (event === undefined) return undefined;
  const { payload, sequence_number } = event;
  return {
    sequence_number,
    exists: payload.exists === true,
    content: textIn(payload, 'content') ?? '',
    isTruncated: payload.truncated === true,
  };
}

/** The last listing for the check with this key. */
export function findListing(events: readonly EvidenceEvent[], key: string): DirectoryListing | undefined {
  const event = findLast(events, 'grader.verification.directory_listed', ofCheck(key));
  if (event === undefined) return undefined;
  const { payload, sequence_number } = event;
  return {
    sequence_number,
    path: textIn(payload, 'path') ?? '',
    exists: payload.exists !== false,
    entries: entriesOf(payload.entries),
  };
}

/** The test runs of the validator with this key: the last one, or the last of each phase, in the order of the phases. */
export function findExecutions(events: readonly EvidenceEvent[], validatorKey: string): CodeExecution[] {
  const byPhase = new Map<string | undefined, CodeExecution>();
  for (const { event_type, payload, sequence_number } of events) {
    if (event_type !== 'grader.verification.code_executed' || payload.validator_key !== validatorKey)
      continue;
    const execution = executionOf(payload, sequence_number);
    byPhase.set(execution.phase_id, execution);
  }
  return [...byPhase.values()];
}

function executionOf(
  payload: PayloadOf<'grader.verification.code_executed'>,
  sequence_number: number,
): CodeExecution {
  const phase_id = textIn(payload, 'phase_id');
  return {
    sequence_number,
    ...(phase_id !== undefined && { phase_id }),
    command: textIn(payload, 'command') ?? '',
    exit_code: numberIn(payload, 'exit_code') ?? null,
    timed_out: payload.timed_out === true,
    stdout_tail: textIn(payload, 'stdout_tail') ?? '',
    stderr_tail: textIn(payload, 'stderr_tail') ?? '',
    report: textIn(payload, 'report') ?? null,
    ...(Array.isArray(payload.reports) && { reports: reportsOf(payload.reports) }),
  };
}

/** The last run of the script of the validator with this key. */
export function findScript(
  events: readonly EvidenceEvent[],
  validatorKey: string,
): ScriptExecution | undefined {
  const event = findLast(
    events,
    'grader.verification.script_executed',
    (payload) => payload.validator_key === validatorKey,
  );
  if (event === undefined) return undefined;
  const { payload, sequence_number } = event;
  const stdout = textIn(payload, 'stdout') ?? '';
  return {
    sequence_number,
    exit_code: numberIn(payload, 'exit_code') ?? null,
    timed_out: payload.timed_out === true,
    oom: payload.oom === true,
    stdout,
    stdout_bytes: numberIn(payload, 'stdout_bytes') ?? stdout.length,
    stderr_tail: textIn(payload, 'stderr_tail') ?? '',
    evidence_too_large: payload.evidence_too_large === true,
  };
}

function reportsOf(reports: readonly unknown[]): CollectedReport[] {
  return reports.filter(isRecord).map((report) => {
    const text = textIn(report, 'text');
    return {
      path: textIn(report, 'path') ?? '',
      format: textIn(report, 'format') ?? '',
      state: REPORT_STATES.find((state) => state === report.state) ?? 'missing',
      ...(text !== undefined && { text }),
    };
  });
}

/** True when the verifier reported that it failed. */
export function didVerifierFail(events: readonly EvidenceEvent[]): boolean {
  return events.some(({ event_type }) => event_type === 'grader.verification.failed');
}

function findLast<T extends ExecutionEventType>(
  events: readonly EvidenceEvent[],
  type: T,
  isMeant: (payload: PayloadOf<T>) => boolean,
): { sequence_number: number; payload: PayloadOf<T> } | undefined {
  return events.findLast(({ event_type, payload }) => event_type === type && isMeant(payload));
}

function ofCheck(key: string): (payload: { readonly key?: unknown }) => boolean {
  return (payload) => payload.key === key;
}

function entriesOf(entries: unknown): ListedEntry[] {
  if (!Array.isArray(entries)) return [];
  return entries.filter(isRecord).flatMap((entry) => {
    const path = textIn(entry, 'path');
    return path === undefined ? [] : [{ path, is_dir: entry.is_dir === true }];
  });
}
