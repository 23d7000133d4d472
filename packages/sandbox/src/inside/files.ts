import type {
  FileContent,
  FileListing,
  FileScope,
  FileStat,
  FileWritten,
  ListOptions,
  ReadOptions,
  WriteOptions,
} from '../file-store.js';
import { SandboxError } from '../sandbox-error.js';
import { SANDBOX_DEFAULTS } from '../spec.js';
import type { InsideClient } from './client.js';
import {
  decodeEntries,
  decodeFileReport,
  errorOfCode,
  type FileReport,
  kindBits,
  kindOfBit,
} from './file-report.js';
import type { Task, TaskExit } from './task.js';
import { REQUEST_FLAG, type TaskRequest, type Verb } from './task-request.js';

const FILE_TIMEOUT_MS = 60_000;
const LIST_ENTRIES_MAX = 10_000;

export interface FileRoots {
  workingDirectory: string;
  readable: readonly string[];
  writable: readonly string[];
}

interface FileReply {
  report: FileReport;
  data: Buffer;
}

/** The file verbs of a session, each one worker inside the sandbox. */
export class Files {
  constructor(
    private readonly client: InsideClient,
    private readonly roots: FileRoots,
  ) {}

  async readFile(path: string, options: ReadOptions = {}): Promise<FileContent> {
    const bytesMax = Math.min(options.bytesMax ?? Number.POSITIVE_INFINITY, SANDBOX_DEFAULTS.fileBytesMax);
    const { report, data } = await this.#run(path, {
      ...this.#request('read', options, this.roots.readable),
      numbers: [options.offset ?? 0, options.length ?? Number.POSITIVE_INFINITY, bytesMax],
    });
    return { path: report.path, bytes: report.numbers[0], data };
  }

  async writeFile(path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<FileWritten> {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    if (bytes.byteLength > SANDBOX_DEFAULTS.writtenBytesMax)
      throw new SandboxError('too_large', 'file too large');
    const flags = REQUEST_FLAG.stdin | (options.makeParents === false ? 0 : REQUEST_FLAG.makeParents);
    const request = {
      ...this.#request('write', options, this.roots.writable),
      flags,
      numbers: [bytes.byteLength, options.mode ?? 0o644],
    };
    const { report } = await this.#run(path, request, [bytes]);
    return { path: report.path, bytes: bytes.byteLength };
  }

  async list(prefix: string, options: ListOptions = {}): Promise<FileListing> {
    const { report, data } = await this.#run(prefix, {
      ...this.#request('list', options, this.roots.readable),
      flags: options.recursive === false ? 0 : REQUEST_FLAG.recursive,
      numbers: [options.entriesMax ?? LIST_ENTRIES_MAX, kindBits(options.kinds)],
      extra: options.skip ?? [],
    });
    return { path: report.path, entries: decodeEntries(data), truncated: report.numbers[0] !== 0 };
  }

  async stat(path: string, options: FileScope = {}): Promise<FileStat> {
    const { report } = await this.#run(path, this.#request('stat', options, this.roots.readable));
    const [bytes, kindAndMode, modifiedAtMs] = report.numbers;
    const kind = kindOfBit(Math.floor(kindAndMode / 2 ** 32));
    return { path: report.path, kind, bytes, mode: kindAndMode % 2 ** 32, modifiedAtMs };
  }

  async remove(path: string, options: FileScope = {}): Promise<void> {
    await this.#run(path, this.#request('remove', options, this.roots.writable));
  }

  #request(verb: Verb, scope: FileScope, roots: readonly string[]): TaskRequest {
    const cwd = scope.cwd ?? this.roots.workingDirectory;
    return { verb, timeoutMs: FILE_TIMEOUT_MS, cwd, roots: scope.roots ?? roots };
  }

  async #run(path: string, request: TaskRequest, input?: Iterable<Uint8Array>): Promise<FileReply> {
    if (path.includes('\0')) throw new SandboxError('invalid_path', 'a path contains NUL');
    const collected = new Collected();
    const task = this.client.start({ ...request, args: [path] }, collected);
    if (input) await task.sendInput(input);
    return { report: await finished(task, collected), data: collected.data };
  }
}

export class Collected {
  readonly #data: Buffer[] = [];
  readonly #report: Buffer[] = [];

  get data(): Buffer {
    return this.#data.length === 1 && this.#data[0] ? this.#data[0] : Buffer.concat(this.#data);
  }

  get report(): Buffer {
    return Buffer.concat(this.#report);
  }

  onStdout(chunk: Buffer): void {
    this.#data.push(chunk);
  }

  onStderr(chunk: Buffer): void {
    this.#report.push(chunk);
  }
}

/** The report of a worker that succeeded. Throws the error of one that failed. */
export async function finished(task: Task, collected: { report: Buffer }): Promise<FileReport> {
  const exit: TaskExit = await task.exit;
  if (exit.timedOut) throw new SandboxError('timeout', 'the file operation took too long');
  if (exit.kind === 'signal') throw new SandboxError('unavailable', 'the file operation was interrupted');
  if (exit.kind === 'refused') throw errorOfCode(exit.code);
  if (exit.code !== 0) throw errorOfCode(exit.code);
  return decodeFileReport(collected.report);
}
