import { randomUUID } from 'node:crypto';
import { routes } from '@agentclash/api';
import type { ExitCode } from '../../exit.js';
import { followRun } from '../../follow/follow-run.js';
import type { Session } from '../../session.js';
import { plural } from '../../terminal/figures.js';
import { oneLine } from '../../terminal/printable.js';
import { chooseDeployments, chooseInputSet, choosePack } from './choices.js';

interface Input {
  pack?: string;
  packVersion?: number;
  inputSet?: string;
  deployment?: string[];
  repetitions?: number;
  maxConcurrency?: number;
  label?: Record<string, string>;
  name?: string;
  follow?: boolean;
}

export async function run(session: Session, input: Input): Promise<ExitCode | undefined> {
  const { out } = session;
  const client = await session.client();
  const version = await choosePack(session, client, { slug: input.pack, number: input.packVersion });
  const inputSet = await chooseInputSet(session, client, {
    versionId: version.id,
    reference: input.inputSet,
  });
  const deployments = await chooseDeployments(session, client, input.deployment ?? []);
  const started = await client.call(routes.runs.create, {
    idempotencyKey: randomUUID(),
    body: {
      challenge_pack_version_id: version.id,
      challenge_input_set_id: inputSet.id,
      deployment_ids: deployments.map(({ id }) => id),
      repetitions: input.repetitions,
      max_concurrency: input.maxConcurrency,
      labels: input.label,
      name: input.name,
    },
  });
  for (const { code, message } of started.warnings) out.warn(`${code}: ${oneLine(message)}`);
  const summary = `run ${started.id}  ${version.slug} v${version.version_number} / ${inputSet.key}  ${plural(
    deployments.length,
    'agent',
  )}, ${plural(started.progress.total, 'attempt')}`;
  if (input.follow) {
    out.note(oneLine(summary));
    return followRun(session, client, started);
  }
  out.result(started, () => oneLine(summary));
  out.note(out.paint.dim(`agentclash run show ${started.id} --follow`));
  return undefined;
}
