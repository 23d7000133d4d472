import { randomUUID } from 'node:crypto';
import { repeatRequest, routes, runHandle } from '@agentclash/api';
import type { ExitCode } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { agentsOf, getRun } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { reportStarted } from '../eval/start.js';

interface Input {
  run: string;
  name?: string;
  label?: Record<string, string>;
  follow?: boolean;
}

/** Starts a run like another one. */
export async function repeatRun(
  session: Session,
  { run: reference, name, label, follow }: Input,
): Promise<ExitCode | undefined> {
  const client = await session.client();
  const { id } = await getRun(client, reference);
  // A list shortens the cases of a run.
  const run = await client.call(routes.runs.get, { params: { run_id: id } });
  if (run.imported) {
    throw new CommandError(
      'usage',
      `The run ${runHandle(run)} is imported: its attempts were run elsewhere`,
      {
        hint: 'agentclash run start runs deployments on the same pack.',
      },
    );
  }
  const agents = await agentsOf(client, id);
  const request = repeatRequest(run, agents);
  const started = await client.call(routes.runs.create, {
    idempotencyKey: randomUUID(),
    body: {
      ...request,
      ...(name !== undefined && { name }),
      ...(label && { labels: { ...request.labels, ...label } }),
    },
  });
  return await reportStarted(session, client, { started, agents: agents.length, follow });
}
