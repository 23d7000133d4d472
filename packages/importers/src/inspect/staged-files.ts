import { ImportError } from '../framework/import-error.js';
import { pathBeside, readText } from '../framework/import-source.js';
import type { ImportRequest } from '../framework/importer.js';
import type { Sample } from './samples.js';

interface DataSet {
  request: Pick<ImportRequest, 'source' | 'losses'>;
  /** The file of the data set or log. */
  file: string;
}

/** A content, or the reason for which there is none. */
type Found = { content: string; isMissingFile?: boolean } | { reason: string };

/** The files of a sample: their contents are given inline, as `data:` URLs, or as paths beside the data set. */
export async function stagedFiles({ files, location, id }: Sample, { request, file }: DataSet) {
  const { losses } = request;
  const where = location.file ?? file;
  const staged: { path: string; content: string }[] = [];
  for (const [path, given] of Object.entries(files)) {
    const key = `files.${path}`;
    const found = await contentOf(given, { request, file });
    if ('reason' in found) {
      losses.dropped(where, key, found.reason);
      continue;
    }
    if (found.isMissingFile) {
      losses.changed(where, key, `there is no file ${given}: as with Inspect its name becomes the content`);
      losses.warn(`${where}: ${key} of the sample ${id} names ${given}, which is not beside the data set`);
    }
    staged.push({ path: path.replace(/^\.\//, ''), content: found.content });
  }
  return staged;
}

const PATH_CHARACTERS_MAX = 300;
const DATA_URL = /^data:[^,]*?(;base64)?,(.*)$/s;
const REMOTE = /^(?:https?|ftp|s3|gs|gcs|az|abfs|hf):\/\/\S+$/;
/** One word that begins at a root. */
const ABSOLUTE = /^(?:file:\/\/|\/|[A-Za-z]:[\\/])[^\s/\\*]\S*$|^file:\/\/\/\S+$/;
/** Names of folders, and of a file with an extension. */
const FILE_NAME = /^(?:[\w.@+-]+\/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7}$/;

async function contentOf(given: string, dataSet: DataSet): Promise<Found> {
  const data = DATA_URL.exec(given);
  if (data) return textFound(decoded(data[2] ?? '', data[1] !== undefined));
  if (REMOTE.test(given)) return { reason: 'nothing is fetched' };
  if (given.length >= PATH_CHARACTERS_MAX || given.includes('\n')) return textFound(given);
  if (ABSOLUTE.test(given)) return outside(given);
  const beside = await fileBeside(given, dataSet);
  if (beside !== undefined) return beside;
  return FILE_NAME.test(given) ? { content: given, isMissingFile: true } : textFound(given);
}

function textFound(content: string | undefined): Found {
  return content === undefined || content.includes('\0') ? { reason: 'it is no text' } : { content };
}

function outside(given: string): Found {
  return { reason: `${given} is outside of the folder of the data set, of which nothing is read` };
}

/** The file that a value names; undefined where it names none. */
async function fileBeside(given: string, { request: { source }, file }: DataSet): Promise<Found | undefined> {
  let path: string;
  try {
    path = pathBeside(file, given);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return /(?:^|\/)\.\.\//.test(given) ? outside(given) : undefined;
  }
  if (path === '' || (await source.find(path).catch(noFile)) === undefined) return undefined;
  try {
    return { content: await readText(source, path) };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return { reason: `${given}: ${error.problems[0]?.message ?? 'it cannot be read'}` };
  }
}

function noFile(error: unknown): undefined {
  if (!(error instanceof ImportError)) throw error;
}

function decoded(text: string, isBase64: boolean): string | undefined {
  try {
    const bytes = Buffer.from(isBase64 ? text : decodeURIComponent(text), isBase64 ? 'base64' : 'utf8');
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
