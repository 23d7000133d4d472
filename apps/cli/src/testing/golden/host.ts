import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type CommandOptions, type Ended, emptyFolder } from '../command.js';

const HOST = path.resolve(import.meta.dirname, 'run-lines.mjs');

/** A process that runs command lines one after the other. */
export class CommandHost {
  private readonly child: ChildProcess;

  constructor(env: Record<string, string>) {
    const home = emptyFolder();
    this.child = fork(HOST, { env: { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), ...env } });
  }

  async run(words: readonly string[], { cwd = emptyFolder(), stdin = '' }: CommandOptions): Promise<Ended> {
    this.child.send({ words, cwd, stdin: String(stdin) });
    const [ended] = (await once(this.child, 'message')) as [Ended];
    return ended;
  }

  stop(): void {
    this.child.kill();
  }
}
