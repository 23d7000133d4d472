import { openZip, type ZipArchive, ZipError } from '@agentclash/archives';
import { isJsonObject, type JsonObject, type JsonValue } from '@agentclash/challengepack';
import { repeatedKey } from '@agentclash/domain';
import { ImportError } from '../framework/import-error.js';
import type { ImportSource } from '../framework/import-source.js';
import type { Losses } from '../framework/loss-report.js';

/** The samples of a log, each once, and the scorers of its header. */
export interface InspectLog {
  task: string;
  scorers: { name: string; options: JsonObject }[];
  samples: { row: JsonObject; file: string }[];
}

/** Reads a log in the format `.eval` (a zip archive). */
export async function readEvalLog(source: ImportSource, file: string, losses: Losses): Promise<InspectLog> {
  try {
    return await readArchive(await openZip(await source.read(file)), file, losses);
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    const of = error.entry === '' ? 'it' : `the entry ${error.entry}`;
    throw new ImportError({ file, message: `the archive cannot be read: ${of} ${error.message}` });
  }
}

async function readArchive(zip: ZipArchive, file: string, losses: Losses): Promise<InspectLog> {
  const headerName = ['header.json', '_journal/start.json'].find((name) => zip.names.includes(name));
  if (headerName === undefined)
    throw new ImportError({ file, message: 'the archive is no log of Inspect: it has no header.json' });
  const header = await jsonEntry(zip, headerName, file);
  const names = zip.names.filter((name) => /^samples\/.+\.json$/.test(name)).sort();
  const rows: { row: JsonObject; file: string }[] = [];
  for (const name of names) rows.push({ row: await jsonEntry(zip, name, file), file: `${file}:${name}` });
  return logOf(header, rows, { file, losses });
}

/** A log in the format `.json`; undefined for a document that is none. */
export function logOfJson(value: JsonValue, file: string, losses: Losses): InspectLog | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.eval) || !Array.isArray(value.samples)) return undefined;
  const rows = value.samples.map((row, index) => {
    if (!isJsonObject(row))
      throw new ImportError({ file, field: `samples[${index}]`, message: 'expected a sample' });
    return { row, file };
  });
  return logOf(value, rows, { file, losses });
}

async function jsonEntry(zip: ZipArchive, name: string, file: string): Promise<JsonObject> {
  const text = new TextDecoder().decode(await zip.read(name));
  return objectOf(parseJson(text, `${file}:${name}`), `${file}:${name}`);
}

/** Throws ImportError with the parser's message, which has the position. */
export function parseJson(text: string, file: string): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new ImportError({ file, message: `the text is no JSON: ${(error as Error).message}` });
  }
  const repeated = repeatedKey(text);
  if (repeated === undefined) return value;
  const line = text.slice(0, repeated.offset).split('\n').length;
  throw new ImportError({ file, line, field: repeated.key, message: 'the key is repeated' });
}

function objectOf(value: JsonValue, file: string): JsonObject {
  if (!isJsonObject(value)) throw new ImportError({ file, message: 'expected an object' });
  return value;
}

interface LogContext {
  file: string;
  losses: Losses;
}

const NOT_TASKS: Readonly<Record<string, string>> = {
  plan: 'the solver is code; use an agent of your own instead',
  results: 'results are no part of a pack',
  stats: 'results are no part of a pack',
  reductions: 'results are no part of a pack',
  error: 'results are no part of a pack',
};

function logOf(header: JsonObject, rows: InspectLog['samples'], { file, losses }: LogContext): InspectLog {
  const { eval: about } = header;
  if (!isJsonObject(about))
    throw new ImportError({ file, field: 'eval', message: 'expected the header of a log' });
  for (const key of Object.keys(header)) {
    if (Object.hasOwn(NOT_TASKS, key)) losses.dropped(file, key, NOT_TASKS[key] ?? '');
  }
  const scorers = (Array.isArray(about.scorers) ? about.scorers : []).flatMap((scorer) => {
    if (!isJsonObject(scorer) || typeof scorer.name !== 'string') return [];
    return [
      {
        name: scorer.name.split('/').at(-1) ?? scorer.name,
        options: isJsonObject(scorer.options) ? scorer.options : {},
      },
    ];
  });
  const seen = new Set<string>();
  const samples = rows.filter(({ row }) => {
    const id = JSON.stringify(row.id ?? null);
    if (row.id !== undefined && seen.has(id)) return false;
    seen.add(id);
    return true;
  });
  if (samples.length < rows.length) {
    losses.changed(file, 'epochs', 'epochs are repetitions of a run: every sample is one case');
  }
  if (samples.length === 0) throw new ImportError({ file, message: 'the log has no samples' });
  const task = typeof about.task === 'string' ? (about.task.split('/').at(-1) ?? about.task) : 'inspect-log';
  return { task, scorers, samples };
}
