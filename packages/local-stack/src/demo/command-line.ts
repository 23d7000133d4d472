import { spawn } from 'node:child_process';
import { environment } from '../config.js';
import { StackError } from '../stack-error.js';

export interface CommandLineOptions {
  program: string;
  /** Its working directory. */
  home: string;
  url: string;
  token: string;
  /** Ends the command that is running. */
  signal: AbortSignal;
}

/** A Ctrl-C reaches the command by itself, and it needs a moment to give the terminal back. */
const GRACE_MS = 1_000;

/** Runs `agentclash` as its user would, against the demo's own stack. */
export class CommandLine {
  constructor(private readonly options: CommandLineOptions) {}

  /** Gives the command the terminal. Fails when it does not end with 0. */
  async show(...words: string[]): Promise<void> {
    await this.run(words, 'inherit');
  }

  /** Runs it quietly and reads the document it prints. */
  async read<T>(...words: string[]): Promise<T> {
    return JSON.parse(await this.run([...words, '--json'], 'pipe')) as T;
  }

  private async run(words: string[], stdout: 'inherit' | 'pipe'): Promise<string> {
    const { program, home, url, token, signal } = this.options;
    signal.throwIfAborted();
    const child = spawn(process.execPath, [program, ...words], {
      cwd: home,
      stdio: ['inherit', stdout, 'inherit'],
      env: { ...environment.inherited, AGENTCLASH_API_URL: url, AGENTCLASH_TOKEN: token },
    });
    const end = () => setTimeout(() => child.kill('SIGTERM'), GRACE_MS).unref();
    signal.addEventListener('abort', end);
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode, killedBy) => resolve(exitCode ?? killedBy));
    });
    signal.removeEventListener('abort', end);
    signal.throwIfAborted();
    if (code === 0) return printed;
    throw new StackError('start_failed', `agentclash ${words.join(' ')} ended with ${code}.`, 'See above.');
  }
}
