import { routes } from '@agentclash/api';
import type { Session } from '../../session.js';

export async function run(session: Session, { id }: { id: string }): Promise<undefined> {
  await (await session.client()).call(routes.artifacts.remove, { params: { artifact_id: id } });
  session.out.result({ id, deleted: true }, () => `${id} is deleted`);
}
