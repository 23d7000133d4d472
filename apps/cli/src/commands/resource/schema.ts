import type { Session } from '../../session.js';

/** The schema that editors complete and check deployment files with. */
export async function run(session: Session): Promise<undefined> {
  const { deploymentFileSchema } = await import('../../deployment-file/editor-schema.js');
  const schema = deploymentFileSchema();
  session.out.result(schema, () => JSON.stringify(schema, null, 1));
}
