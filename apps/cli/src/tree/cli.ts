import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { environment } from '../config.js';
import { Output } from '../terminal/output.js';
import { reportFailure } from '../terminal/report-failure.js';
import { createProgram } from './program.js';
import { withCommandsOfGroups } from './unknown-command.js';

/** Runs one command line; resolves to what the process shall end with. Never throws. */
export async function runCli(words: readonly string[]): Promise<ExitCode> {
  // Created first: from here on a closed stdout is no failure.
  const output = outputFor(words);
  // Errors that are thrown outside of every promise, as when the disk that stdout goes to is full.
  process.once('uncaughtException', (error) => process.exit(reportFailure(error, output)));
  let exit: ExitCode = EXIT_CODES.ok;
  const end = (code: ExitCode) => {
    exit = code;
  };
  const program = createProgram(end, { isForPrograms: output.modes.json });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exit;
  } catch (error) {
    return reportFailure(withCommandsOfGroups(error, program), output);
  }
}

/** `-o json` of commands that print a table. */
const JSON_FORMAT = /(^| )(-o ?|--output[ =])json( |$)/;

/** The options may be what is wrong: the modes are read off the words themselves. */
function outputFor(words: readonly string[]): Output {
  const isColorful = !words.includes('--no-color') && !environment.isColorless;
  return new Output(process.stdout, process.stderr, {
    json: words.includes('--json') || JSON_FORMAT.test(words.join(' ')),
    quiet: false,
    color: isColorful && Boolean(process.stderr.isTTY),
  });
}
