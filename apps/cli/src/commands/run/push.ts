import { ApiError, type Client, type PackVersion, type Run, routes } from '@agentclash/api';
import type { ExitCode } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { isResultsFile } from '../../lookup/results-file.js';
import { runSource } from '../../lookup/run-source.js';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { sourceOf } from './export.js';
import { importAttempts } from './import.js';

interface PushInput {
  file: string;
  name?: string;
  wait: boolean;
}

/** Stores the run of a file on a server, as an imported one: its scores stay as they are, and its trajectories are kept. */
export async function pushResults(
  session: Session,
  { file, name, wait }: PushInput,
): Promise<ExitCode | undefined> {
  if (!isResultsFile(file)) {
    throw new CommandError('usage', `${file} is no file of results: its name ends with .clash`, {
      hint: 'agentclash run import stores results in other formats.',
    });
  }
  const { client } = await runSource(session, file);
  const run = await getRun(client);
  if (run.finished_at === null) {
    throw new CommandError('usage', `The run of ${file} has not come to its end`, {
      hint: `Continue it first: agentclash run PACK --agents FILE --resume ${file}`,
    });
  }
  const { exportRun, readAtif, RECORDS_MAX } = await import('@agentclash/exports');
  checkCount(file, run, RECORDS_MAX);
  const source = await sourceOf(client, run);
  await checkPublished(await session.client(), { ...source.version, ...run.pack });
  const labels = { ...run.labels, recorded: 'local' };
  const named = name ?? run.name ?? undefined;
  return await importAttempts(session, { file, format: 'atif', name: named, labels, wait }, () =>
    readAtif(bytesOf(exportRun(source, 'atif', undefined))),
  );
}

/** Fails before the file is read, where a server stores fewer attempts of one run. */
function checkCount(file: string, { progress: { total } }: Run, most: number): void {
  if (total <= most) return;
  const counts = `${total.toLocaleString('en')} attempts, and a server stores at most ${most.toLocaleString('en')} of one run`;
  throw new CommandError('usage', `The run of ${file} has ${counts}`, {
    hint: 'Run parts of it into files of their own (--input-set, --deployment or --case) and push each. eval scorecard, view, compare and run export read the file as it is.',
  });
}

/** Fails where the server does not have the version with the content that the attempts were of. */
async function checkPublished(
  client: Client,
  { slug, version_number: number, digest }: Pick<PackVersion, 'slug' | 'version_number' | 'digest'>,
): Promise<void> {
  const { versions } = await client
    .call(routes.packs.get, { params: { pack: slug } })
    .catch((cause: unknown) => {
      if (cause instanceof ApiError && cause.code === 'not_found') return { versions: [] };
      throw cause;
    });
  if (versions.some((version) => version.digest === digest)) return;
  const other = versions.find((version) => version.version_number === number);
  if (other === undefined) {
    throw new CommandError('not_found', `Version ${number} of ${slug} is not published on the server`, {
      hint: 'Publish it first: agentclash challenge-pack publish PACK',
    });
  }
  const message = `The run is of other content (${digest}) than version ${number} of ${slug} has on the server (${other.digest})`;
  throw new CommandError('usage', message, {
    hint: 'Give the pack its next version number, publish it and run it again.',
  });
}

async function* bytesOf(content: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of content) yield typeof part === 'string' ? Buffer.from(part) : part;
}
