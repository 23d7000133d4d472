import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CommandError } from '../../command-error.js';
import { SKILL, SKILL_NAME } from './skill.js';

/** Read by most coding agents. */
const NEUTRAL = '.agents';
/** Claude Code reads its own folder alone. */
const CLAUDE = '.claude';

/**
 * Writes the skill into the project that holds the folder, and returns its file; undefined where the project has it. An
 * existing one may be user-written and stays.
 */
export async function writeSkill(folder: string): Promise<string | undefined> {
  const project = projectOf(folder);
  const parents = [NEUTRAL, ...(existsSync(path.join(project, CLAUDE)) ? [CLAUDE] : [])];
  const written: string[] = [];
  for (const parent of parents) {
    const file = path.join(project, parent, 'skills', SKILL_NAME, 'SKILL.md');
    if (await writeNew(file)) written.push(file);
  }
  return written[0] === undefined ? undefined : path.relative(process.cwd(), written[0]);
}

/** The nearest folder with a repository of git, below that of the user; else the folder itself. */
function projectOf(folder: string): string {
  for (let at = folder; at !== homedir() && at !== path.dirname(at); at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
  }
  return folder;
}

async function writeNew(file: string): Promise<boolean> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, SKILL, { flag: 'wx' });
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new CommandError('usage', `${file} cannot be written (${code})`, {
      hint: '--no-skill leaves it out.',
      cause,
    });
  }
}
