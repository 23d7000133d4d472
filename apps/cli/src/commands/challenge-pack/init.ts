import path from 'node:path';
import { SCHEMA_FILE, type StarterKind, slugOf, starterPack } from '@agentclash/challengepack/starters';
import { writeNewFile, writeSchemaFile } from '../../files/new-file.js';
import type { Session } from '../../session/session.js';
import { writeSkill } from './write-skill.js';

interface Input {
  file: string;
  template: StarterKind;
  force?: boolean;
  skill?: boolean;
}

export async function initPack(
  session: Session,
  { file, template, force = false, skill: wantsSkill = true }: Input,
): Promise<undefined> {
  const slug = slugOf(path.basename(file).replace(/\.ya?ml$/i, ''));
  await writeNewFile(file, starterPack(template, slug), force);
  await writeSchemaBeside(file);
  const skill = wantsSkill ? await writeSkill(path.dirname(path.resolve(file))) : undefined;
  session.out.result(
    { file, slug, template, ...(skill && { skill }) },
    () => `${file}: a ${template} pack, ${slug}`,
  );
  if (skill !== undefined) session.out.note(session.out.paint.dim(`For coding agents: ${skill}`));
  session.out.note(session.out.paint.dim(`Next: agentclash challenge-pack validate ${file}`));
}

/** The schema that the pack's first line names, for editors. An existing one may be user-written. */
export async function writeSchemaBeside(file: string): Promise<void> {
  const { editorSchema } = await import('@agentclash/challengepack');
  await writeSchemaFile(path.join(path.dirname(file), SCHEMA_FILE), editorSchema());
}

/** The schema that editors complete and check packs with. */
export async function printPackSchema(session: Session): Promise<undefined> {
  const { editorSchema } = await import('@agentclash/challengepack');
  const schema = editorSchema();
  session.out.result(schema, () => JSON.stringify(schema, null, 1));
}
