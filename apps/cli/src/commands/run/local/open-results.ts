import { statSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../../../command-error.js';
import { isResultsFile } from '../../../lookup/results-file.js';

type PreparedRun = import('@agentclash/local-run').PreparedRun;
type ResultsWriter = import('@agentclash/local-run').ResultsWriter;
type FinishedAttempt = import('@agentclash/local-run').FinishedAttempt;

/** The file of a run that is begun or continued. */
export interface OpenedResults {
  file: string;
  writer: ResultsWriter;
  /** Attempts of the run that it continues. */
  finished: readonly FinishedAttempt[];
}

interface Options {
  output: string | undefined;
  resume: string | undefined;
  version: string;
}

/** Begins a file of results, or continues that of an interrupted run. */
export async function openResults(prepared: PreparedRun, options: Options): Promise<OpenedResults> {
  const { output, resume, version } = options;
  if (output !== undefined && resume !== undefined) {
    throw new CommandError('usage', '--output begins a file of results, and --resume continues one');
  }
  if (output !== undefined && !isResultsFile(output) && !isFolder(output)) {
    throw new CommandError(
      'usage',
      `--output ${output} is no name of a file of results: it must end with .clash`,
      {
        hint: 'By their names files of results are distinguished from runs of a server: eval scorecard, compare and view take both.',
      },
    );
  }
  const { ResultsWriter, continueResults, startRecord } = await import('@agentclash/local-run');
  if (resume !== undefined) {
    const { writer, finished } = await continueResults(resume, prepared).catch((error: unknown) => {
      throw unreadable(resume, error);
    });
    return { file: resume, writer, finished };
  }
  const file = output ?? defaultName(prepared);
  const writer = await ResultsWriter.create(file).catch((cause: NodeJS.ErrnoException) => {
    throw unwritable(file, cause);
  });
  writer.add(startRecord(prepared, version));
  return { file, writer, finished: [] };
}

/** `capital-cities-20260102-030405.clash` */
function defaultName({ run: { pack, created_at } }: PreparedRun): string {
  return `${pack.slug}-${created_at.slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}.clash`;
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

function unwritable(file: string, cause: NodeJS.ErrnoException): CommandError {
  if (isFolder(file)) {
    const hint = `--output names the file of results, such as --output ${path.join(file, 'results.clash')}`;
    return new CommandError('usage', `${file} is a folder`, { hint, cause });
  }
  if (cause.code === 'EEXIST') {
    const hint = `--resume ${file} continues an interrupted run; --output names another file.`;
    return new CommandError('usage', `The file ${file} exists already`, { hint, cause });
  }
  const hint =
    cause.code === 'ENOENT'
      ? `There is no folder ${path.dirname(file)}: make it, or name another file by --output.`
      : undefined;
  return new CommandError('usage', `${file} cannot be written (${cause.code})`, {
    ...(hint && { hint }),
    cause,
  });
}

function unreadable(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'ResultsFileError') return new CommandError('usage', error.message, { cause: error });
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return new CommandError('not_found', `${file} cannot be read (${code})`, { cause: error });
}
