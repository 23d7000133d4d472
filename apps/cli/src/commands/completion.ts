import type { Session } from '../session.js';
import { SCRIPTS, type Shell } from './completion/scripts.js';

/** Prints a script which lets a shell complete commands, options, and names that the server knows. */
export async function run(session: Session, { shell }: { shell: Shell }): Promise<undefined> {
  const script = SCRIPTS[shell];
  session.out.result({ shell, script }, () => script.trimEnd());
}
