import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SCHEMA_FILE, type StarterKind, slugOf, starterPack } from '@agentclash/challengepack/starters';
import { CommandError } from '../../command-error.js';
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
  try {
    await writeFile(file, starterPack(template, slug), { flag: force ? 'w' : 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new CommandError('usage', `${file} exists`, { hint: '--force replaces it.', cause });
    }
    if (code === 'ENOENT') {
      throw new CommandError('not_found', `There is no folder ${path.dirname(file)}`, { cause });
    }
    throw new CommandError('usage', `${file} cannot be written (${code})`, { cause });
  }
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
  const schema = path.join(path.dirname(file), SCHEMA_FILE);
  try {
    await writeFile(schema, `${JSON.stringify(editorSchema(), null, 1)}\n`, { flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new CommandError('usage', `${schema} cannot be written (${code})`, { cause });
  }
}

/** The schema that editors complete and check packs with. */
export async function printPackSchema(session: Session): Promise<undefined> {
  const { editorSchema } = await import('@agentclash/challengepack');
  const schema = editorSchema();
  session.out.result(schema, () => JSON.stringify(schema, null, 1));
}
