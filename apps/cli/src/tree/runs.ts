import { type Command, Option } from 'commander';
import type { Act } from './act.js';
import { label, wholeNumber } from './options.js';

const RUN = ['<run>', "the run's id, or last"] as const;

export function declareRuns(program: Command, act: Act): void {
  const evals = program.command('eval').description('Start a race and read its result');
  evals
    .command('start')
    .option('--pack <slug>', 'the challenge pack')
    .option(
      '--pack-version <number>',
      'its version; default: the newest runnable',
      wholeNumber(1, 2_147_483_647),
    )
    .option('--input-set <key>', 'key or id; needed when there are several')
    .option(
      '--deployment <names...>',
      "the agents, by name, id or an alias of the pack; default: the pack's lineup default",
    )
    .addOption(
      new Option('--lineup <name>', "a lineup of the pack's deployment_defaults").conflicts('deployment'),
    )
    .option('--case <keys...>', 'only these cases of the input set, by key')
    .addOption(
      new Option(
        '--only-failed <run>',
        'only the cases that an earlier run did not pass; its version, input set and agents unless named',
      ).conflicts('case'),
    )
    .option('--repetitions <number>', 'of every case', wholeNumber(1, 100))
    .option('--max-concurrency <number>', 'attempts at once', wholeNumber(1, 10_000))
    .option('--label <key=value>', 'repeatable', label)
    .option('--name <name>', 'what the run is called')
    .option('--follow', 'show the race live until it has ended')
    .description('Start a run')
    .action(act(() => import('../commands/eval/start.js')));
  evals
    .command('scorecard')
    .argument('[run]', "the run's id; default: the last run")
    .option('--attempt <id>', 'one attempt, with all the evidence behind its numbers')
    .option('--all', 'the evidence of every attempt, not only of those that failed')
    .option('--baseline <name>', 'compare with this baseline; default: the baseline default, where it is set')
    .option('--policy <policy>', 'the gate policy to decide by, by name or id')
    .option('--agent <name>', 'the lane to compare')
    .option('--junit <file>', 'write the attempts as JUnit XML too')
    .option('--markdown <file>', 'write a summary for CI too')
    .description(
      'Show ranking, dimensions, the comparison with the baseline and the evidence behind every number',
    )
    .action(act(() => import('../commands/eval/scorecard.js')));

  const runs = program.command('run').description('Look at runs');
  runs
    .command('list')
    .addOption(
      new Option('--status <status>').choices([
        'queued',
        'running',
        'paused',
        'scoring',
        'completed',
        'failed',
        'cancelled',
      ]),
    )
    .option('--pack <slug>', 'only of this pack')
    .option('--deployment <name>', 'only with this deployment, by name or id')
    .option('--label <label>', 'only with this label')
    .option('--search <text>', 'only runs whose name, or whose pack, holds this')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 10_000), 50)
    .description('List runs, newest first')
    .action(act(() => import('../commands/run/list.js')));
  runs
    .command('show')
    .argument(...RUN)
    .option('--follow', 'show it live until it has ended')
    .description('Show state, progress and times')
    .action(act(() => import('../commands/run/show.js')));
  runs
    .command('agents')
    .argument(...RUN)
    .description('Show the lanes')
    .action(act(() => import('../commands/run/agents.js')));
  runs
    .command('attempts')
    .argument(...RUN)
    .addOption(
      new Option('--state <state>').choices([
        'queued',
        'preparing',
        'running',
        'parked',
        'settling',
        'verifying',
        'finished',
      ]),
    )
    .addOption(
      new Option('--outcome <outcome>').choices([
        'completed',
        'agent_error',
        'limit_reached',
        'policy_violation',
        'provider_error',
        'infra_error',
        'cancelled',
      ]),
    )
    .description('Show the attempts with their outcomes')
    .action(act(() => import('../commands/run/attempts.js')));
  runs
    .command('ranking')
    .argument(...RUN)
    .description('Show the ranking')
    .action(act(() => import('../commands/run/ranking.js')));
  runs
    .command('failures')
    .argument(...RUN)
    .description('Show why attempts did not pass, failures that are alike together')
    .action(act(() => import('../commands/run/failures.js')));
  runs
    .command('events')
    .argument(...RUN)
    .option('--follow', 'go on until the run has ended')
    .option('--after <position>', 'only later ones', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .description('Show the events')
    .action(act(() => import('../commands/run/events.js')));
  runs
    .command('turns')
    .argument(...RUN)
    .description('Show what waits for a person')
    .action(act(() => import('../commands/run/turns.js')));
  runs
    .command('answer')
    .argument('<attempt>', "the attempt's id")
    .argument('[message]', 'what to say; default: asks for it, or reads standard input')
    .description('Answer the turn that waits for a person')
    .action(act(() => import('../commands/run/answer.js')));
  runs
    .command('phase')
    .argument('<attempt>', "the attempt's id")
    .argument('<phase>', 'the id of a phase with trigger manual')
    .description('Ask for a manual phase before the conversation reaches it')
    .action(act(() => import('../commands/run/phase.js')));
  runs
    .command('cancel')
    .argument(...RUN)
    .description('Cancel a run')
    .action(act(() => import('../commands/run/cancel.js')));
  runs
    .command('pause')
    .argument(...RUN)
    .description('Start no further attempt of a run; those at work go on')
    .action(act(() => import('../commands/run/pause.js')));
  runs
    .command('resume')
    .argument(...RUN)
    .description('Let a paused run go on')
    .action(act(() => import('../commands/run/resume.js')));
  runs
    .command('retry')
    // Needed all the same: where it stands behind `--only`, commander takes it for one of its values.
    .argument('[run]', `${RUN[1]}; needed, before or after --only`)
    .requiredOption(
      '--only <what...>',
      'infra: what no agent is to blame for; failed: all that did not pass; or the ids of attempts',
    )
    .description('Run finished attempts again in the same run, keeping the evidence of before')
    .action(act(() => import('../commands/run/retry.js')));
  runs
    .command('rescore')
    .argument(...RUN)
    .option('--evaluation-spec <id>', 'by the evaluation spec of another version of the pack')
    .option('--no-wait', 'do not wait until it is done')
    .description('Score a run again from its stored evidence, as a next revision')
    .action(act(() => import('../commands/run/rescore.js')));
  runs
    .command('export')
    .argument(...RUN)
    .option('-o, --output <file>', 'where to; default: standard output')
    .description('Write the recorded events as NDJSON')
    .action(act(() => import('../commands/run/export.js')));

  program
    .command('replay')
    .argument('<attempt>', "the attempt's id")
    .option('--delivery <number>', 'default: the last', wholeNumber(1, 1_000))
    .option('--full', 'cut nothing')
    .description('Read what happened in an attempt, step by step')
    .action(act(() => import('../commands/replay.js')));
}
