import { routes } from '@agentclash/api';
import type { Session } from '../../session.js';

interface Input {
  slug: string;
  name?: string;
}

export async function run(session: Session, { slug, name }: Input): Promise<undefined> {
  const made = await (await session.operatorClient()).call(routes.workspaces.create, {
    body: { slug, name },
  });
  session.out.result(made, () => `${made.slug}  ${made.id}`);
}
