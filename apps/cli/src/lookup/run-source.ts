import type { Client } from '@agentclash/api';
import { CommandError } from '../command-error.js';
import type { Session } from '../session/session.js';

/** The ending of files of results, by which they are distinguished from ids. */
const RESULTS_ENDING = '.clash';

/** Where a run is read, and the reference by which it is found there. */
export interface RunSource {
  client: Client;
  reference: string | undefined;
}

/** The server, or the file of results that is named in place of a run. */
export async function runSource(session: Session, reference: string | undefined): Promise<RunSource> {
  if (reference?.endsWith(RESULTS_ENDING) !== true) return { client: await session.client(), reference };
  return { client: await resultsOf(reference), reference: 'last' };
}

/** The client of a file of results. Fails with a `CommandError`. */
async function resultsOf(file: string): Promise<Client> {
  const { openResultsClient } = await import('@agentclash/local-run');
  try {
    return await openResultsClient(file);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    if (cause.name === 'ResultsFileError') throw new CommandError('usage', cause.message, { cause });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new CommandError('not_found', `${file} cannot be read (${code})`, { cause });
  }
}
