import { routes } from '@agentclash/api';
import type { Session } from '../../session.js';

export async function run(session: Session, { name }: { name: string }): Promise<undefined> {
  const client = await session.client();
  await client.call(routes.baselines.remove, { params: { name } });
  session.out.result({ name, deleted: true }, () => `${name} is cleared`);
}
