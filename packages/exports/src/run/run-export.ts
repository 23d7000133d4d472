import type { ExportFormat, HistoryEvent, PackVersion, Run, RunAgent } from '@agentclash/api';
import { zipBytes } from '@agentclash/archives';
import { columnsOf } from '../results/columns.js';
import { csvLines } from '../results/csv.js';
import { jsonLines } from '../results/jsonl.js';
import { parquetBytes } from '../results/parquet.js';
import { type ExportedAttempt, type ResultRecord, resultRecord } from '../results/record.js';
import { resultKeysOf } from '../results/result-keys.js';
import { atifTrajectory, type ExportedTrajectory } from '../trajectories/atif.js';
import { inspectEntries } from '../trajectories/inspect.js';
import { otelTrace } from '../trajectories/otel.js';
import { TranscriptFold } from '../trajectories/transcript.js';

export type ExportContent = AsyncGenerator<string | Uint8Array, void, undefined>;

/** A run as it is read for an export, a page at a time. */
export interface ExportSource {
  run: Run;
  version: Pick<PackVersion, 'id' | 'digest' | 'audit'>;
  /** That of the version, as its manifest has it. */
  evaluationSpec: unknown;
  lanes: readonly RunAgent[];
  /** The attempts of the run, or of one lane, with their scorecards. */
  attempts(lane: RunAgent | undefined): AsyncIterable<readonly ExportedAttempt[]>;
  /** The events of an attempt's last delivery. */
  events(attemptId: string): AsyncIterable<readonly HistoryEvent[]>;
}

interface Chosen {
  source: ExportSource;
  lane: RunAgent | undefined;
}

/** The media type of each format. */
export const EXPORT_MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  atif: 'application/x-ndjson; charset=utf-8',
  inspect: 'application/zip',
  otel: 'application/x-ndjson; charset=utf-8',
};

const WRITERS: Readonly<Record<ExportFormat, (chosen: Chosen) => ExportContent>> = {
  jsonl: (chosen) => jsonLines(records(chosen)),
  csv: (chosen) => csvLines(records(chosen), columnsIn(chosen)),
  parquet: (chosen) => parquetBytes(records(chosen), columnsIn(chosen)),
  atif: (chosen) => trajectoryLines(chosen, atifTrajectory),
  inspect: (chosen) => zipBytes(inspectEntries(inspectLog(chosen), trajectories(chosen))),
  otel: (chosen) => trajectoryLines(chosen, otelTrace),
};

/** True when a format has one lane alone, and the run has several of which none is named. */
export function needsLane(
  format: ExportFormat,
  { lanes }: Pick<ExportSource, 'lanes'>,
  lane: RunAgent | undefined,
): boolean {
  return format === 'inspect' && lane === undefined && lanes.length !== 1;
}

/** The bytes of an export as they are made; a page of results, or one trajectory, is held at a time. */
export function exportRun(
  source: ExportSource,
  format: ExportFormat,
  lane: RunAgent | undefined,
): ExportContent {
  return WRITERS[format]({ source, lane: format === 'inspect' ? (lane ?? source.lanes[0]) : lane });
}

function columnsIn({ source: { evaluationSpec } }: Chosen) {
  return columnsOf(resultKeysOf(evaluationSpec));
}

async function* records({ source, lane }: Chosen): AsyncGenerator<ResultRecord, void, undefined> {
  const { run, version, lanes } = source;
  const exported = { run, version, lanes: new Map(lanes.map((each) => [each.id, each])) };
  for await (const page of source.attempts(lane)) {
    for (const attempt of page) yield resultRecord(exported, attempt);
  }
}

/** The attempts that have ended with their trajectories, one at a time. */
async function* trajectories(chosen: Chosen): AsyncGenerator<ExportedTrajectory, void, undefined> {
  for await (const record of records(chosen)) {
    if (record.outcome === null) continue;
    const fold = new TranscriptFold();
    for await (const page of chosen.source.events(record.attempt_id)) fold.add(page);
    yield { record, transcript: fold.transcript };
  }
}

async function* trajectoryLines(
  chosen: Chosen,
  form: (trajectory: ExportedTrajectory) => unknown,
): ExportContent {
  for await (const trajectory of trajectories(chosen)) yield `${JSON.stringify(form(trajectory))}\n`;
}

const STATUSES: Partial<Record<Run['status'], 'success' | 'cancelled'>> = {
  completed: 'success',
  cancelled: 'cancelled',
};

function inspectLog({ source: { run, version }, lane }: Chosen) {
  return {
    ...{ run_id: run.id, lane: lane?.name ?? '', pack: run.pack.slug },
    ...{ version_number: run.pack.version_number, version_digest: version.digest },
    ...{ input_set: run.input_set.key, repetitions: run.repetitions },
    status: STATUSES[run.status] ?? ('error' as const),
    ...{ created_at: run.created_at, started_at: run.started_at, finished_at: run.finished_at },
  };
}
