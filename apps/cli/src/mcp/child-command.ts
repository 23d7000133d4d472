import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A command line of this program that has ended. */
export interface EndedCommand {
  code: number | null;
  stdout: string;
  /** Lines of stderr that are no progress: warnings, errors, next steps. */
  notes: readonly string[];
  isCancelled: boolean;
}

export interface CommandRequest {
  words: readonly string[];
  environment: Readonly<Record<string, string>>;
  folder: string;
  signal: AbortSignal;
  /** Gets every line of stderr; true for progress, which is not kept. */
  onLine: (line: string) => boolean;
}

const PROGRAM = path.resolve(import.meta.dirname, '../../bin/agentclash.js');
/** More is dropped: 128 pages of a reply. */
const CHARACTERS_MAX = 1_048_576;
const NOTES_MAX = 200;
/** An interrupted run writes its results; a sandbox is removed. */
const GRACE_MS = 15_000;

/**
 * Runs a command line of this program in a process of its own: what it reads was written by others, its memory is
 * apart from that of the server, and Ctrl-C ends it in order. Never rejects for what the command does.
 */
export async function runCommand(request: CommandRequest): Promise<EndedCommand> {
  const { words, environment, folder, signal, onLine } = request;
  const child = spawn(process.execPath, [PROGRAM, '--non-interactive', '--no-color', ...words], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const release = stopWith(signal, child);
  let stdout = '';
  let dropped = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const kept = text.slice(0, CHARACTERS_MAX - stdout.length);
    stdout += kept;
    dropped += text.length - kept.length;
  });
  const notes: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!onLine(line) && line.trim() !== '' && notes.length < NOTES_MAX) notes.push(line);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(release);
  if (dropped > 0) stdout += `\n… ${dropped} more characters of the output were dropped`;
  return { code, stdout, notes, isCancelled: signal.aborted };
}

/** Ctrl-C for the command when the signal is aborted, and its end by force after a grace period. */
function stopWith(signal: AbortSignal, child: ChildProcess): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGINT');
    timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
}
