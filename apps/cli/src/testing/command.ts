import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  env?: Record<string, string>;
  stdin?: string | Uint8Array;
  cwd?: string;
  /** True when its stdout has no reader. */
  isUnread?: boolean;
  /** A file that takes stdout instead. */
  stdoutTo?: string;
}

/** A command of the built program on its way. */
export interface RunningCommand {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
}

/** The built program. */
export const PROGRAM = path.resolve(import.meta.dirname, '../../bin/agentclash.js');

const folders: string[] = [];

/** A new folder, until `removeFolders`. */
export function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-cli-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Starts a command with a home of its own: no settings of the machine are seen. */
export function startCommand(words: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { env = {}, stdin = '', cwd = emptyFolder(), isUnread = false, stdoutTo } = options;
  const home = emptyFolder();
  const given = { cwd, env: { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), ...env } };
  const program = [process.execPath, PROGRAM, ...words];
  const [file = '', ...rest] =
    stdoutTo === undefined ? program : ['sh', '-c', 'exec "$@" > "$0"', stdoutTo, ...program];
  const child = spawn(file, rest, given);
  child.stdin.end(stdin);
  if (isUnread) child.stdout.destroy();
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

export function command(words: readonly string[], options?: CommandOptions): Promise<Ended> {
  return startCommand(words, options).ended;
}
