import { routes } from '@agentclash/api';
import { artifactIdOf } from '../../lookup/artifacts.js';
import type { Session } from '../../session.js';

export async function run(session: Session, { id: reference }: { id: string }): Promise<undefined> {
  const client = await session.client();
  const id = await artifactIdOf(client, reference);
  await client.call(routes.artifacts.remove, { params: { artifact_id: id } });
  session.out.result({ id, deleted: true }, () => `${id} is deleted`);
}
