import {
  openPack,
  type PackReading,
  type PackSummary,
  type Problem,
  readCaseFile,
} from '@agentclash/challengepack';
import { bytesSource, readRows } from '@agentclash/rows';
import { ImportError } from './framework/import-error.js';
import { type ImportSource, sourcePath } from './framework/import-source.js';
import { type ImportOptions, PACK_FILE, type PackFiles } from './framework/importer.js';
import { Losses, type LossReport } from './framework/loss-report.js';
import { type Origins, sourceProblems } from './framework/source-problems.js';
import { IMPORTERS, type ImportKind } from './importers.js';

export interface ImportedPack {
  files: PackFiles;
  report: LossReport;
  summary: PackSummary;
  /** Of the written pack; none is an error. */
  warnings: Problem[];
}

const INVALID = 'The pack would have these problems: nothing was written.';
const TOO_LARGE =
  'Import a part of the source at a time: fewer tasks, or with swebench those that --instances names. Nothing was written.';

/** Imports a source as a pack that is valid, or throws ImportError. */
export async function importPack(
  kind: ImportKind,
  source: ImportSource,
  options: ImportOptions = {},
): Promise<ImportedPack> {
  const losses = new Losses();
  const run = await IMPORTERS[kind]();
  const origins: Origins = new Map();
  const files = await run({ source, options, losses, origins });
  for (const path of files.keys()) requirePlainPath(path);
  const { problems, summary } = await readFiles(files);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    throw new ImportError(
      sourceProblems(errors, { files, origins, source }),
      errors.some(({ code }) => code === 'document_too_large') ? TOO_LARGE : INVALID,
    );
  }
  const { items, warnings } = losses;
  return { files, report: { kind, items, warnings }, summary, warnings: problems };
}

/** Reads the pack and its data files as publishing does. */
async function readFiles(files: PackFiles): Promise<PackReading> {
  let hasFiles = false;
  const pack = openPack(packText(files), {
    fileExists(path) {
      hasFiles = true;
      return files.has(path);
    },
    fileBytes: ({ path = '' }) => sizeOf(files.get(path)),
    fileText: (path) => textOf(files.get(path)),
  });
  for (const file of pack.files) {
    const { path = '', format = 'jsonl', delimiter } = file.settings;
    const source = bytesSource(bytesOf(files.get(path) ?? ''));
    const open = () => readRows(source, { format, delimiter, columns: file.columns });
    await readCaseFile(file, open, () => {});
  }
  const reading = pack.end();
  // The digest covers the ids of stored files, which only a server knows.
  if (hasFiles) reading.summary.digest = null;
  return reading;
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

function sizeOf(content: string | Uint8Array | undefined): number | undefined {
  return content === undefined ? undefined : Buffer.byteLength(content);
}

/** A name that an importer took from the source must not lead out of the pack's folder. */
function requirePlainPath(path: string): void {
  if (path === '' || sourcePath(path) !== path) {
    throw new ImportError({ file: path, message: 'a file of the pack cannot have this path' });
  }
}

function packText(files: PackFiles): string {
  const text = textOf(files.get(PACK_FILE));
  if (text === undefined) throw new Error(`the importer wrote no ${PACK_FILE}`);
  return text;
}

function textOf(content: string | Uint8Array | undefined): string | undefined {
  if (content === undefined || typeof content === 'string') return content;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
