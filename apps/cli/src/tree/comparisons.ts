import type { Command } from 'commander';
import type { Act } from './act.js';
import { amount, minimum, textNoOption } from './options.js';

const SIDE =
  "a run's id (or its beginning or end), last, the name of a baseline, or a file of results (.clash)";
const NAME = ['--name <name>', 'what the baseline is called', 'default'] as const;

const OF_RUN = ['--run <run>', 'the baseline that this run would be compared with'] as const;
const OF_PACK = ['--pack <slug>', 'only baselines of this pack'] as const;
const OF_INPUT_SET = ['--input-set <key>', 'only baselines of this input set'] as const;

/** The commands that compare runs and decide on them. */
export function declareComparisons(program: Command, act: Act): void {
  program
    .command('compare')
    .argument('<baseline>', SIDE)
    .argument('<candidate>', SIDE)
    .option('--agent <names...>', 'the lanes to compare, which both runs have under these names')
    .option('--baseline-agent <name>', 'the lane of the baseline')
    .option('--candidate-agent <name>', 'the lane of the candidate')
    .option(
      '--detect <difference>',
      'count the cases needed to show this difference; default: 0.05',
      amount(1),
    )
    .option('--markdown <file>', 'write a summary for CI too')
    .description('Compare two runs case by case: better, worse or inconclusive')
    .action(act(async () => (await import('../commands/comparisons.js')).compareRuns));
  program
    .command('gate')
    .argument('<candidate>', "the run's id, its beginning or end, last, or a file of results (.clash)")
    .option(
      '--baseline <baseline>',
      "a run's id, or the name of a baseline of the run's pack and input set; default: default; for a file: another one",
    )
    .option(
      '--policy <policy>',
      'a gate policy by name or id; default: default, else the built-in one; for a file: a file that holds one',
    )
    .option(
      '--min <measure=score>',
      'instead of a baseline, the least mean of overall, pass_rate or a dimension; repeatable',
      minimum,
    )
    .option('--agent <name>', 'the lane of the candidate')
    .option('--baseline-agent <name>', 'the lane of the baseline')
    .option('--junit <file>', 'write the decision as JUnit XML too', textNoOption)
    .option('--markdown <file>', 'write a summary for CI too')
    .description(
      'Decide whether a run may replace its baseline: exits 0 pass, 1 fail, 2 warn, 3 insufficient evidence',
    )
    .action(act(async () => (await import('../commands/comparisons.js')).runGate));

  const baselines = program
    .command('baseline')
    .description('Bookmark accepted runs, one for each pack, input set and name');
  baselines
    .command('set')
    .argument('<run>', "the run's id, its beginning or end, or last")
    .option(...NAME)
    .option('--agent <name>', 'one lane of the run')
    .option('-y, --yes', 'replace another run without confirmation; required without a terminal')
    .description('Accept a run as the baseline of this name')
    .action(act(async () => (await import('../commands/baseline.js')).setBaseline));
  baselines
    .command('show')
    .argument('[name]', 'default: all')
    .option(...OF_RUN)
    .option(...OF_PACK)
    .option(...OF_INPUT_SET)
    .description('Show the baselines and their runs')
    .action(act(async () => (await import('../commands/baseline.js')).showBaseline));
  baselines
    .command('list')
    .option('--name <name>', 'only baselines of this name')
    .option(...OF_RUN)
    .option(...OF_PACK)
    .option(...OF_INPUT_SET)
    .description('List the baselines, each with its run')
    .action(act(async () => (await import('../commands/baseline.js')).listBaselines));
  baselines
    .command('clear')
    .argument('[name]', 'the baseline', 'default')
    .option(...OF_RUN)
    .option(...OF_PACK)
    .option(...OF_INPUT_SET)
    .description('Forget a baseline; its run stays')
    .action(act(async () => (await import('../commands/baseline.js')).clearBaseline));
}
