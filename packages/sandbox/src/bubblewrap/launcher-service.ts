import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { SandboxError } from '../sandbox-error.js';
import { type ProcessEnd, processEnd, SandboxProcess } from './sandbox-process.js';

const CLOSE_MS = 2_000;
const NUMBER_MAX = 0xffff_ffff;

/** A launcher that runs beside this process and starts sandboxes for it. */
export class LauncherService {
  /** Resolves when it has ended, and with it every sandbox that it had started. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #ends = new Map<number, (end: ProcessEnd) => void>();
  readonly #processes = new Map<number, SandboxProcess>();
  #lastNumber = 0;
  #stderr = '';

  private constructor(
    launcher: string,
    private readonly socketFile: string,
    onReady: () => void,
  ) {
    this.#child = spawn(launcher, ['serve', socketFile], { stdio: 'pipe', env: {}, cwd: '/' });
    const { stdin, stdout, stderr } = this.#child;
    const reports = new ReportDecoder();
    stdin?.on('error', () => {}); // the end of the process has the reason
    stderr?.on('data', (text: Buffer) => {
      this.#stderr += text.toString();
    });
    stdout?.on('data', (bytes: Buffer) => {
      for (const report of reports.push(bytes)) {
        if (report.number === 0) onReady();
        else this.#onReport(report);
      }
    });
    this.ended = new Promise((resolve) => {
      const finish = (reason: string) => {
        this.#onEnded(reason);
        resolve();
      };
      this.#child.once('exit', () => finish('the launcher ended'));
      this.#child.once('error', (error) => finish(error.message));
    });
  }

  /** Resolves when it can launch. Throws `unavailable` when it cannot be started. */
  static async start(launcher: string, socketFile: string): Promise<LauncherService> {
    let onReady = () => {};
    const ready = new Promise<'ready'>((resolve) => {
      onReady = () => resolve('ready');
    });
    const service = new LauncherService(launcher, socketFile, onReady);
    if ((await Promise.race([ready, service.ended])) === 'ready') {
      service.#release();
      return service;
    }
    const cause = new Error(service.#stderr.trim() || 'it ended');
    throw new SandboxError('unavailable', 'the launcher of sandboxes does not start', { cause });
  }

  /** `args`: the launcher's. Never throws: what cannot be started has ended. */
  launch(args: readonly string[], kill?: () => void): SandboxProcess {
    this.#lastNumber = (this.#lastNumber % NUMBER_MAX) + 1;
    const number = this.#lastNumber;
    this.#child.ref();
    const ended = new Promise<ProcessEnd>((resolve) => this.#ends.set(number, resolve));
    const connection = connect(this.socketFile);
    let detail = 'the launcher did not take the connection';
    let isSent = false;
    connection.write(encodeLaunch(number, args), (error) => {
      isSent = !error;
    });
    connection.on('error', ({ message }) => {
      detail = message;
    });
    // Once the request is sent the launcher reports the end; the end of the connection itself decides nothing.
    connection.once('close', () => {
      if (!isSent) this.#settle(number, { exitCode: null, signal: null, stderr: detail });
    });
    const process = new SandboxProcess(connection, ended, () => {
      this.#kill(number);
      kill?.();
    });
    this.#processes.set(number, process);
    return process;
  }

  /** Ends it and what it has started. */
  async close(): Promise<void> {
    this.#child.ref();
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  #kill(number: number): void {
    const order = Buffer.alloc(4);
    order.writeUInt32LE(number);
    this.#child.stdin?.write(order);
  }

  #onReport({ number, status, stderr }: LaunchReport): void {
    if (status === LAUNCH_STARTED) this.#processes.get(number)?.onStarted(Number(stderr));
    else this.#settle(number, processEnd(status, stderr));
  }

  #onEnded(reason: string): void {
    rmSync(this.socketFile, { force: true });
    for (const number of [...this.#ends.keys()]) {
      this.#settle(number, { exitCode: null, signal: 'SIGKILL', stderr: reason });
    }
  }

  #settle(number: number, end: ProcessEnd): void {
    this.#ends.get(number)?.(end);
    this.#ends.delete(number);
    this.#processes.delete(number);
    if (this.#ends.size === 0) this.#release();
  }

  /** An idle launcher keeps no process alive. */
  #release(): void {
    this.#child.unref();
    for (const stream of this.#child.stdio) if (stream instanceof Socket) stream.unref();
  }
}

/** The protocol with the launcher; its other half is `native/launcher_serve.c`. All integers are u32. */

/** A launched process has started, or how it ended. */
export interface LaunchReport {
  /** Which one; 0: the launcher takes connections. */
  number: number;
  /** As `waitpid` has it, or `LAUNCH_STARTED`, when `stderr` is the process id. */
  status: number;
  stderr: string;
}

/** `LAUNCH_STARTED` in `native/launcher.h`. */
const LAUNCH_STARTED = 0xffff_ffff;

const REPORT_HEADER_BYTES = 12;
const NOTHING = Buffer.alloc(0);

/** The beginning of a connection: who is launched, and the arguments of the launcher. */
export function encodeLaunch(number: number, args: readonly string[]): Buffer {
  const text = Buffer.from(`${args.join('\0')}\0`);
  const header = Buffer.alloc(8);
  header.writeUInt32LE(text.length, 0);
  header.writeUInt32LE(number, 4);
  return Buffer.concat([header, text]);
}

/** Bytes in, reports out, however they are cut. */
export class ReportDecoder {
  #pending: Buffer = NOTHING;

  push(chunk: Buffer): LaunchReport[] {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const reports: LaunchReport[] = [];
    let at = 0;
    while (bytes.length - at >= REPORT_HEADER_BYTES) {
      const textAt = at + REPORT_HEADER_BYTES;
      const end = textAt + bytes.readUInt32LE(at);
      if (end > bytes.length) break;
      reports.push({
        number: bytes.readUInt32LE(at + 4),
        status: bytes.readUInt32LE(at + 8),
        stderr: bytes.toString('utf8', textAt, end),
      });
      at = end;
    }
    this.#pending = bytes.subarray(at);
    return reports;
  }
}
