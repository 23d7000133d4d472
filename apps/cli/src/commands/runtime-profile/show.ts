import { getProfile } from '../../lookup/deployments.js';
import type { Session } from '../../session.js';
import { facts } from '../../terminal/table.js';

export async function run(session: Session, { profile: reference }: { profile: string }): Promise<undefined> {
  const profile = await getProfile(await session.client(), reference);
  session.out.result(profile, () =>
    facts(
      Object.entries(profile).map(
        ([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const,
      ),
      session.out.paint.dim,
    ),
  );
}
