import { type Command, Option } from 'commander';
import { TABLE_FORMATS } from '../terminal/output.js';

/** The commands whose result is a table, by their words. */
const TABLES: readonly string[] = [
  'status',
  'challenge-pack list',
  'challenge-pack show',
  'artifact list',
  ...['deployment', 'provider-account', 'model-alias', 'runtime-profile', 'tool', 'gate-policy'].map(
    (group) => `${group} list`,
  ),
  'agents list',
  'image list',
  'prices list',
  'prices show',
  'eval plan',
  'eval scorecard',
  'run report',
  'run list',
  'run agents',
  'run attempts',
  'run ranking',
  'run failures',
  'run search',
  'run turns',
  'run rescore',
  'run share',
  'compare',
  'baseline list',
  'review list',
  'review results',
  'secret list',
  'secret audit',
  'token list',
  'webhook list',
  'webhook deliveries',
  'workspace list',
  'admin sweep',
  'admin rotate-keys',
  'admin front-door list',
];

/** Of these, a decision or a report with tables in it is the result. */
const REPORTS: readonly string[] = ['gate', 'challenge-pack audit'];

/**
 * `-o`. Its value has a name of its own among the options of a command, for `--output` of other commands names a file.
 */
class FormatOption extends Option {
  override attributeName(): string {
    return 'tableFormat';
  }
}

/** Adds the choice of a format to every command that prints a table. */
export function addTableFormats(program: Command): void {
  const [table, wide, json] = TABLE_FORMATS;
  add(program, TABLES, TABLE_FORMATS);
  add(program, REPORTS, [table, wide, json]);
}

function add(program: Command, paths: readonly string[], formats: readonly string[]): void {
  for (const path of paths) {
    const option = new FormatOption(
      '-o, --output <format>',
      'how tables are printed: fitted to the terminal, wide with all columns, or for programs',
    );
    commandOf(program, path).addOption(option.choices(formats).default(formats[0]));
  }
}

function commandOf(program: Command, path: string): Command {
  return path.split(' ').reduce((parent, word) => {
    const found = parent.commands.find((each) => each.name() === word);
    if (found === undefined) throw new Error(`there is no command ${path}`);
    return found;
  }, program);
}
