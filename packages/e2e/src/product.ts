import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findState, loadCredentials, openLayout, type StackState } from '@agentclash/local-stack';

export const repository = path.resolve(import.meta.dirname, '../../..');
const AGENTCLASH = path.join(repository, 'apps/cli/bin/agentclash.js');

/** `up` itself gives up earlier, and says why. */
const UP_MS_MAX = 300_000;

/** How a command ended. */
export interface Ended {
  /** The exit code; a signal's name when it was killed. */
  code: number | string;
  stdout: string;
  stderr: string;
}

/** A folder of its own for data, settings and whatever a test writes; PostgreSQL's user can pass through. */
export class StackFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), 'agentclash-e2e-'));
  readonly data = path.join(this.path, 'data');

  constructor() {
    chmodSync(this.path, 0o755);
  }

  /** The user's environment there: no settings of the machine's user, no terminal. */
  environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('AGENTCLASH_'));
    return {
      ...Object.fromEntries(inherited),
      XDG_CONFIG_HOME: path.join(this.path, 'config'),
      CI: '1',
      ...more,
    };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface RunOptions {
  folder: StackFolder;
  env?: NodeJS.ProcessEnv;
  stdin?: string;
  /** Whether nobody reads what it prints to stdout. */
  isUnread?: boolean;
  /** Default 60 s; then the command is killed, and says so by its code. */
  timeoutMs?: number;
  /** The Node.js that it runs by, and a stack that it starts; default: that of this process. */
  node?: string | undefined;
}

/** Runs `agentclash` as a user would. Never rejects because of how the command ended. */
export async function agentclash(words: readonly string[], options: RunOptions): Promise<Ended> {
  return await runNode([AGENTCLASH, ...words], options);
}

export async function runNode(args: readonly string[], options: RunOptions): Promise<Ended> {
  return await runProgram(options.node ?? process.execPath, args, options);
}

export async function runProgram(
  program: string,
  args: readonly string[],
  { folder, env, stdin = '', isUnread = false, timeoutMs = 60_000 }: RunOptions,
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: repository,
    env: folder.environment(env),
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => {}).end(stdin);
  if (isUnread) child.stdout.destroy();
  const [stdout, stderr, code] = await Promise.all([
    isUnread ? '' : text(child.stdout),
    text(child.stderr),
    new Promise<number | string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode, signal) => resolve(exitCode ?? signal ?? 'unknown'));
    }),
  ]);
  return { code, stdout, stderr };
}

/** The embedded stack, started by `agentclash up` in the background of a place of its own. */
export class Product {
  private constructor(
    readonly folder: StackFolder,
    readonly state: StackState,
  ) {}

  /** Starts on the place's data, which may be from before. Throws with what `up` said when it did not come up. */
  static async start(
    folder = new StackFolder(),
    env: NodeJS.ProcessEnv = {},
    node?: string,
  ): Promise<Product> {
    // A port of its own: stacks of several tests run at the same time.
    // Endpoints and model servers of tests are on this machine.
    const words = ['up', '--detach', '--data', folder.data, '--port', '0', '--allow-loopback-endpoints'];
    const up = await agentclash(words, {
      folder,
      env,
      node,
      timeoutMs: UP_MS_MAX,
    });
    const state = await findState(path.join(folder.data, 'stack.json'));
    if (up.code !== 0 || state === undefined) {
      throw new Error(`agentclash up ended with ${up.code}:\n${up.stdout}${up.stderr}`);
    }
    return new Product(folder, state);
  }

  run(words: readonly string[], options: Omit<RunOptions, 'folder'> = {}): Promise<Ended> {
    return agentclash(words, { ...options, folder: this.folder });
  }

  /** Runs a command that must succeed and reads the document it prints. */
  async read<T>(...words: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run([...words, '--json'], { timeoutMs: 120_000 });
    if (code !== 0) throw new Error(`agentclash ${words.join(' ')} ended with ${code}:\n${stderr}`);
    return JSON.parse(stdout) as T;
  }

  /** The administrator's, of the default workspace. */
  async token(): Promise<string> {
    const { adminToken } = await loadCredentials(await openLayout(this.folder.data), false);
    return adminToken;
  }

  async stop(): Promise<Ended> {
    return await this.run(['down', '--data', this.folder.data]);
  }
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = '';
  for await (const chunk of stream.setEncoding('utf8')) all += chunk;
  return all;
}
