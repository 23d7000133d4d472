import { type Client, routes } from '@agentclash/api';
import { CommandError } from '../command-error.js';
import type { Session } from '../session/session.js';
import { isResultsFile } from './results-file.js';
import { agentsOf, getRun } from './runs.js';

type ComparedRun = import('@agentclash/run-scoring').ComparedRun;

/** Where a run is read, and the reference by which it is found there. */
export interface RunSource {
  client: Client;
  reference: string | undefined;
}

/** The server, or the file of results that is named in place of a run. */
export async function runSource(session: Session, reference: string | undefined): Promise<RunSource> {
  if (!isResultsFile(reference)) return { client: await session.client(), reference };
  return { client: await openResults(reference), reference: 'last' };
}

/** The run of a file of results, with its lanes and their scorecards. Fails with a `CommandError`. */
export interface RunOfFile extends ComparedRun {
  scorecardOf: (runAgentId: string) => ReturnType<typeof scorecardOf>;
}

export async function runOfFile(file: string): Promise<RunOfFile> {
  const client = await openResults(file);
  const run = await getRun(client);
  const agents = await agentsOf(client, run.id);
  return { run, agents, scorecardOf: (id) => scorecardOf(client, id) };
}

export async function scorecardOf(client: Client, run_agent_id: string) {
  return await client.call(routes.runAgents.scorecard, { params: { run_agent_id } });
}

/** The client of a file of results. Fails with a `CommandError`. */
async function openResults(file: string): Promise<Client> {
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
