import type { Command } from 'commander';
import type { CommandModule } from '../tree/act.js';
import { completionTree } from './completion/command-words.js';
import { SCRIPTS, type Shell } from './completion/scripts.js';

/** The command that prints a script which completes this command tree. */
export function completionOf(program: Command): CommandModule<{ shell: Shell }> {
  return {
    async run(session, { shell }) {
      const script = SCRIPTS[shell](completionTree(program));
      session.out.result({ shell, script }, () => script.trimEnd());
      return undefined;
    },
  };
}
