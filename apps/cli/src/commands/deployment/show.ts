import { routes } from '@agentclash/api';
import { getDeployment } from '../../lookup/deployments.js';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { printable } from '../../terminal/printable.js';
import { facts } from '../../terminal/table.js';

export async function run(
  session: Session,
  { deployment: reference }: { deployment: string },
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const deployment = await getDeployment(client, reference);
  const { runtime_profile_id: profileId } = deployment;
  const profile =
    profileId === null
      ? undefined
      : await client.call(routes.profiles.get, { params: { profile_id: profileId } });
  out.result(deployment, () =>
    [
      facts(
        [
          ['name', deployment.name],
          ['id', deployment.id],
          ['kind', deployment.kind],
          ['revision', String(deployment.revision)],
          ['status', deployment.status],
          ['runtime profile', profile?.name],
          ['created', moment(deployment.created_at)],
          ['updated', moment(deployment.updated_at)],
        ],
        out.paint.dim,
      ),
      out.paint.dim('config'),
      printable(JSON.stringify(deployment.config, null, 2)),
    ].join('\n'),
  );
}
