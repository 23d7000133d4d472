import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findState, loadCredentials, openLayout, type StackState } from '@agentclash/local-stack';

export const repository = path.resolve(import.meta.dirname, '../../..');
const AGENTCLASH = path.join(repository, 'apps/cli/bin/agentclash.js');

/** `up` has a shorter timeout of its own, and reports the reason. */
const UP_MS_MAX = 300_000;
const DOWN_MS_MAX = 180_000;

/** How a command ended. */
export interface Ended {
  /** The exit code; a signal's name when it was killed. */
  code: number | string;
  stdout: string;
  stderr: string;
}

/** A folder of its own for data, settings and whatever a test writes; PostgreSQL's user can pass through. */
export class StackFolder {
  readonly data: string;

  /** `path` is the folder; default: a new one. */
  constructor(readonly path = mkdtempSync(`${tmpdir()}/agentclash-e2e-`)) {
    this.data = `${path}/data`;
    chmodSync(path, 0o755);
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
    // Processes of the stack that end may write to it meanwhile, which is tried again, and remove files of their own:
    // then rmSync returns early, without an error.
    while (existsSync(this.path)) rmSync(this.path, { recursive: true, force: true, maxRetries: 20 });
  }
}

export interface RunOptions {
  folder: StackFolder;
  env?: NodeJS.ProcessEnv;
  stdin?: string;
  /** True when its stdout has no reader. */
  isUnread?: boolean;
  /** True when it is in a process group of its own, out of reach of a Ctrl-C in the terminal. */
  isOwnGroup?: boolean;
  /** Default 60 s; then the command is killed, which its code shows. */
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
  { folder, env, stdin = '', isUnread = false, isOwnGroup = false, timeoutMs = 60_000 }: RunOptions,
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: repository,
    env: folder.environment(env),
    detached: isOwnGroup,
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

/** The embedded stack, started by `agentclash up` in the background with a data folder of its own. */
export class Product {
  /** Stacks that run, and starts under way. */
  private static readonly started = new Map<StackFolder, Promise<Product>>();

  private constructor(
    readonly folder: StackFolder,
    readonly state: StackState,
    private readonly env: NodeJS.ProcessEnv = {},
  ) {}

  /** Starts on the folder's data, which may be from before. Throws with the output of `up` when it did not come up. */
  static async start(
    folder = new StackFolder(),
    env: NodeJS.ProcessEnv = {},
    node?: string,
  ): Promise<Product> {
    const starting = Product.up(folder, env, node);
    Product.started.set(folder, starting);
    return await starting;
  }

  /**
   * Stops every stack that this process started and removes its folder: stacks are processes of their own and would
   * outlive it. Waits for starts under way.
   */
  static async stopAll(): Promise<void> {
    const ended = [...Product.started].map(async ([folder, starting]) => {
      const product = await starting.catch(() => undefined);
      await product?.stop();
      folder.remove();
    });
    await Promise.all(ended);
  }

  /** The stack that runs on the folder's data, if one does. */
  static async running(folder: StackFolder): Promise<Product | undefined> {
    const state = await findState(path.join(folder.data, 'stack.json'));
    return state && new Product(folder, state);
  }

  /** The same stack, whose commands have these variables. */
  with(env: NodeJS.ProcessEnv): Product {
    return new Product(this.folder, this.state, env);
  }

  private static async up(
    folder: StackFolder,
    env: NodeJS.ProcessEnv,
    node: string | undefined,
  ): Promise<Product> {
    // A port of its own: stacks of several tests run at the same time.
    // Endpoints and model servers of tests are on this machine.
    const words = ['up', '--detach', '--data', folder.data, '--port', '0', '--allow-loopback-endpoints'];
    const options = { folder, env, node, timeoutMs: UP_MS_MAX, isOwnGroup: true };
    const { code, stdout, stderr } = await agentclash(words, options);
    const product = await Product.running(folder);
    if (code !== 0 || product === undefined) {
      throw new Error(`agentclash up ended with ${code}:\n${stdout}${stderr}`);
    }
    return product;
  }

  run(words: readonly string[], options: Omit<RunOptions, 'folder'> = {}): Promise<Ended> {
    return agentclash(words, { ...options, folder: this.folder, env: { ...this.env, ...options.env } });
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
    const ended = await this.run(['down', '--data', this.folder.data], { timeoutMs: DOWN_MS_MAX });
    if (ended.code === 0) Product.started.delete(this.folder);
    return ended;
  }
}

/** Ends this process at SIGINT and SIGTERM, after every stack that it has started or is starting. */
export function stopStacksOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void Product.stopAll().finally(() => process.exit(1)));
  }
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = '';
  for await (const chunk of stream.setEncoding('utf8')) all += chunk;
  return all;
}
