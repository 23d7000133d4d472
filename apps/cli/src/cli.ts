import { CommanderError } from 'commander';
import { environment } from './config.js';
import { EXIT, type ExitCode } from './exit.js';
import { reportFailure } from './report-failure.js';
import { Output } from './terminal/output.js';
import { createProgram } from './tree/program.js';

/** Runs one command line; resolves to what the process shall end with. Never throws. */
export async function runCli(words: readonly string[]): Promise<ExitCode> {
  leaveQuietlyWhenNobodyReads();
  let exit: ExitCode = EXIT.ok;
  const program = createProgram((code) => {
    exit = code;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exit;
  } catch (error) {
    return reportFailure(error, outputFor(words, error));
  }
}

/** The options may be what is wrong: the modes are read off the words themselves. */
function outputFor(words: readonly string[], error: unknown): Output {
  const isColorful = !words.includes('--no-color') && !environment.isColorless;
  return new Output(process.stdout, process.stderr, {
    json: words.includes('--json') && !(error instanceof CommanderError && error.exitCode === 0),
    quiet: false,
    color: isColorful && Boolean(process.stderr.isTTY),
  });
}

/** `agentclash run list | head` is no failure; unread notes on stderr change nothing. */
function leaveQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    throw error;
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
