import { routes } from '@agentclash/api';
import { getDeployment } from '../../lookup/deployments.js';
import type { Session } from '../../session.js';

export async function run(
  session: Session,
  { deployment: reference }: { deployment: string },
): Promise<undefined> {
  const client = await session.client();
  const { id, name } = await getDeployment(client, reference);
  await client.call(routes.deployments.archive, { params: { deployment_id: id } });
  session.out.result({ id, name, status: 'archived' }, () => `${name} is archived`);
}
