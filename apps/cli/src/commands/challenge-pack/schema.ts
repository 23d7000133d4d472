import type { Session } from '../../session.js';

/** The schema that editors complete and check packs with. */
export async function run(session: Session): Promise<undefined> {
  const { editorSchema } = await import('@agentclash/challengepack');
  const schema = editorSchema();
  session.out.result(schema, () => JSON.stringify(schema, null, 1));
}
