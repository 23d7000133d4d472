import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  IMPORTED_ATTEMPTS_MAX,
  packErrorLines,
  type Run,
  RunImportRequest,
  routes,
  runArgument,
  runHandle,
} from '@agentclash/api';
import { EXIT_CODES, type ExitCode, hasRunEnded, type ImportFormat } from '@agentclash/domain';
import {
  INSPECT_BYTES_MAX,
  type ReadAttempt,
  type ReadDefaults,
  readAtif,
  readInspect,
  readResults,
} from '@agentclash/exports';
import { CommandError } from '../../command-error.js';
import { statusLine } from '../../follow/run-end.js';
import type { Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';
import { oneLine } from '../../terminal/printable.js';
import { checkFormat } from './import-format.js';
import {
  type ImportChoice,
  type ImportTarget,
  importTarget,
  unknownScores,
  unmatchedCases,
} from './import-target.js';
import { type ImportedFile, type ReadFile, surveyOf } from './imported-file.js';
import { endedBy, rejectionOf, type SentAttempt } from './rejected-attempts.js';

export interface ImportInput extends Omit<AttemptsInput, 'labels'> {
  lane?: string;
  case?: string;
}

const READERS = {
  jsonl: (file, defaults) => readResults(createReadStream(file), defaults),
  atif: (file, defaults) => {
    return readAtif(createReadStream(file), { ...defaults, isDocument: file.endsWith('.json') });
  },
  inspect: readLog,
} satisfies Record<ImportFormat, ReadFile>;

/** The directory of an archive is at its end: the file is read as a whole, and one sample is unpacked at a time. */
async function* readLog(file: string, defaults: ReadDefaults): AsyncGenerator<ReadAttempt, void, undefined> {
  const { size } = await stat(file);
  if (size > INSPECT_BYTES_MAX) throw new CommandError('usage', `${file} is larger than 256 MiB: split it`);
  yield* readInspect(await readFile(file), defaults);
}

const FILE_BYTES_MAX = 2_147_483_648;
/** Attempts of one request; its body may have 1 MiB. */
const BATCH_BYTES_MAX = 900_000;
const PAUSE_MS = 500;
/** Cases that one request may name; of more, a run is of the whole input set. */
const CASES_NAMED_MAX = 10_000;

export async function importRun(session: Session, input: ImportInput): Promise<ExitCode | undefined> {
  await checkFile(input.file);
  await checkFormat(input.file, input.format);
  const read = () =>
    READERS[input.format](input.file, {
      lane: input.lane,
      caseKey: input.case,
      withoutScores: input.grade === true,
    });
  return await importAttempts(session, input, read);
}

/** Attempts to import; the bytes of `file` are their source, by which a repeated import is the same run. */
export interface AttemptsInput extends ImportChoice {
  file: string;
  format: ImportFormat;
  name?: string | undefined;
  labels?: Run['labels'];
  grade?: boolean;
  skipUnmatched?: boolean;
  wait: boolean;
}

export async function importAttempts(
  session: Session,
  input: AttemptsInput,
  read: () => ReturnType<ReadFile>,
): Promise<ExitCode | undefined> {
  const { out } = session;
  const survey = await surveyOf(read());
  const sha256 = await digestOf(input.file);
  const client = await session.client();
  const target = await importTarget(client, survey, input);
  const unmatched = unmatchedCases(target, survey, input.skipUnmatched === true);
  for (const line of await unknownScores(client, target, survey)) out.warn(oneLine(line));
  const source = { format: input.format, sha256 };
  const { name, labels, grade = false } = input;
  const run = await begin(client, { target, survey, source, name, labels, grade });
  const skipped = new Set(unmatched);
  const count = hasRunEnded(run.status)
    ? { accepted: 0, repeated: survey.attempts }
    : await send(client, run, { read, skipped, report: (sent) => out.note(`sent ${sent}`) }).catch(
        async (error: unknown) => {
          throw await endedBy(error, { client, run, warn: (text) => out.warn(text) });
        },
      );
  await client.call(routes.runs.completeImport, { params: { run_id: run.id } });
  const ended = input.wait ? await ending(client, run.id) : run;
  const left = { unmatched_cases: unmatched, unfinished: survey.unfinished };
  out.result({ run: ended, ...count, ...left }, () => summary(ended, count, survey, unmatched));
  out.note(`agentclash run ranking ${runArgument(run)}`);
  if (ended.status !== 'failed' && ended.status !== 'cancelled') return undefined;
  for (const line of packErrorLines(ended)) out.warn(oneLine(line));
  out.warn(statusLine(ended));
  return EXIT_CODES.failed;
}

function summary(
  run: Run,
  { accepted, repeated }: { accepted: number; repeated: number },
  { unfinished }: ImportedFile,
  unmatched: readonly string[],
): string {
  return [
    `run ${runHandle(run)}  ${run.status}, imported`,
    `${plural(accepted, 'attempt')} imported${repeated === 0 ? '' : `, ${repeated} imported before`}`,
    ...(unmatched.length === 0
      ? []
      : [`${plural(unmatched.length, 'case')} left out: ${unmatched.join(', ')}`]),
    ...(unfinished === 0 ? [] : [`${plural(unfinished, 'record')} of attempts that never ended left out`]),
  ].join('\n');
}

async function checkFile(file: string): Promise<void> {
  const found = await stat(file).catch((cause) => {
    throw new CommandError('not_found', `${file} cannot be read`, { cause });
  });
  if (!found.isFile()) throw new CommandError('usage', `${file} is not a file`);
  if (found.size > FILE_BYTES_MAX) throw new CommandError('usage', `${file} is larger than 2 GiB: split it`);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

async function begin(
  client: Client,
  {
    target: { version, inputSet, caseKeys },
    survey,
    source,
    name,
    labels,
    grade,
  }: {
    target: ImportTarget;
    survey: ImportedFile;
    source: RunImportRequest['source'];
    name: string | undefined;
    labels: Run['labels'] | undefined;
    grade: boolean;
  },
): Promise<Run> {
  const named = caseKeys.filter((key) => survey.cases.has(key));
  const isPart = named.length < caseKeys.length && named.length <= CASES_NAMED_MAX;
  return await client.call(routes.runs.beginImport, {
    body: {
      challenge_pack_version_id: version.id,
      challenge_input_set_id: inputSet.id,
      ...(isPart && { case_keys: named }),
      lanes: [...survey.lanes].map((lane) => ({ name: lane })),
      repetitions: survey.repetitions,
      source,
      grading: grade ? 'pack' : 'recorded',
      ...(name !== undefined && { name }),
      ...(labels !== undefined && { labels }),
    },
  });
}

/** Sends the attempts in batches; a repeated import sends them again, and the server keeps those that it has. */
async function send(
  client: Client,
  { id: run_id }: Run,
  {
    read,
    skipped,
    report,
  }: { read: () => ReturnType<ReadFile>; skipped: ReadonlySet<string>; report: (sent: number) => void },
): Promise<{ accepted: number; repeated: number }> {
  const count = { accepted: 0, repeated: 0 };
  let batch: SentAttempt[] = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    const attempts = batch.map(({ text }) => JSON.parse(text));
    const added = await client
      .call(routes.runs.addImported, { params: { run_id }, body: { attempts } })
      .catch((error: unknown) => {
        throw rejectionOf(error, batch) ?? error;
      });
    count.accepted += added.accepted;
    count.repeated += added.repeated;
    report(count.accepted + count.repeated);
    batch = [];
    bytes = 0;
  };
  for await (const record of read()) {
    if (!('attempt' in record) || skipped.has(record.attempt.case_key)) continue;
    const text = JSON.stringify(record.attempt);
    const size = Buffer.byteLength(text);
    if (batch.length >= IMPORTED_ATTEMPTS_MAX || bytes + size > BATCH_BYTES_MAX) await flush();
    batch.push({ text, location: record.location });
    bytes += size;
  }
  await flush();
  return count;
}

async function ending(client: Client, run_id: string): Promise<Run> {
  for (;;) {
    const run = await client.call(routes.runs.get, { params: { run_id } });
    if (hasRunEnded(run.status)) return run;
    await sleep(PAUSE_MS);
  }
}
