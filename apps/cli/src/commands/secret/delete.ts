import { routes } from '@agentclash/api';
import type { Session } from '../../session.js';

export async function run(session: Session, { key }: { key: string }): Promise<undefined> {
  await (await session.client()).call(routes.secrets.remove, { params: { key } });
  session.out.result({ key, deleted: true }, () => `${key} is deleted`);
}
