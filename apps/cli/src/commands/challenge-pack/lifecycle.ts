import { type PackVersion, routes } from '@agentclash/api';
import { getPack, versionOf } from '../../lookup/packs.js';
import type { Session } from '../../session.js';

interface Input {
  slug: string;
  packVersion: number;
}

export const deprecate = lifecycleCommand('deprecated');
export const restore = lifecycleCommand('runnable');
export const archive = lifecycleCommand('archived');

function lifecycleCommand(status: PackVersion['lifecycle_status']) {
  return {
    async run(session: Session, { slug, packVersion }: Input): Promise<undefined> {
      const client = await session.client();
      const { id } = versionOf(await getPack(client, slug), packVersion);
      const version = await client.call(routes.versions.setLifecycle, {
        params: { version_id: id },
        body: { lifecycle_status: status },
      });
      session.out.result(
        version,
        () => `${version.slug} version ${version.version_number} is ${version.lifecycle_status}`,
      );
    },
  };
}
