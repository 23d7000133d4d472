import { type Client, type ExportFormat, type Run, routes } from '@agentclash/api';
import type { ExportedAttempt, ExportSource } from '@agentclash/exports';
import { CommandError } from '../../command-error.js';
import { PAGE_SIZE, pagesOf } from '../../lookup/all-pages.js';
import { isResultsFile } from '../../lookup/results-file.js';
import { runSource } from '../../lookup/run-source.js';
import { agentsOf, getRun, laneOf } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { printStream } from '../../terminal/output.js';
import { saveFile } from '../artifact/save-file.js';
import { recordedLines } from './events.js';

type Content = AsyncIterable<string | Uint8Array>;

interface Input {
  run: string;
  format: 'events' | ExportFormat;
  lane?: string;
  output?: string;
}

export async function exportRun(
  session: Session,
  { run: given, format, lane, output }: Input,
): Promise<undefined> {
  const { out } = session;
  if (isResultsFile(output)) {
    throw new CommandError('usage', `${output} names a file of results, which an export would replace`, {
      hint: 'Name the file by its content, such as results.csv.',
    });
  }
  const { client, reference } = await runSource(session, given);
  const run = await getRun(client, reference);
  if (lane !== undefined && format === 'events') throw new CommandError('usage', '--lane is for results');
  const content =
    format === 'events' ? events(client, run) : await results(client, run, { format, name: lane });
  if (output === undefined || output === '-') {
    await printStream(out, content);
    return;
  }
  await saveFile(output, bytesOf(content), { mayReplace: true });
  out.result({ run_id: run.id, file: output }, () => output);
}

async function* bytesOf(content: Content): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const part of content) yield typeof part === 'string' ? Buffer.from(part) : part;
}

async function* events(client: Client, { id }: Run): AsyncGenerator<string, void, undefined> {
  for await (const line of recordedLines(client, id)) yield `${line}\n`;
}

interface ResultsInput {
  format: ExportFormat;
  name: string | undefined;
}

async function results(client: Client, run: Run, { format, name }: ResultsInput): Promise<Content> {
  const { exportRun: contentOf, needsLane } = await import('@agentclash/exports');
  const source = await sourceOf(client, run);
  const lane = name === undefined ? undefined : laneOf(source.lanes, name);
  if (needsLane(format, source, lane)) {
    throw new CommandError('usage', 'A log of Inspect is of one lane, and the run has several', {
      choices: source.lanes.map((each) => each.name),
      hint: '--lane names one of them.',
    });
  }
  return contentOf(source, format, lane);
}

/** A run as exports read it. */
export async function sourceOf(client: Client, run: Run): Promise<ExportSource> {
  const params = { version_id: run.challenge_pack_version_id };
  const [version, manifest, lanes] = await Promise.all([
    client.call(routes.versions.get, { params }),
    client.call(routes.versions.manifest, { params }),
    agentsOf(client, run.id),
  ]);
  return {
    ...{ run, version, lanes },
    evaluationSpec: manifest.evaluation_spec,
    attempts: (lane) =>
      pagesOf<ExportedAttempt>((cursor) =>
        client.call(routes.runs.scorecards, {
          params: { run_id: run.id },
          query: { limit: PAGE_SIZE, cursor, ...(lane && { run_agent_id: lane.id }) },
        }),
      ),
    events: (attempt_id) =>
      pagesOf((cursor) =>
        client.call(routes.attempts.events, { params: { attempt_id }, query: { limit: PAGE_SIZE, cursor } }),
      ),
  };
}
