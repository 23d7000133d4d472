import {
  ALPHA_MAX,
  ALPHA_MIN,
  ATTEMPT_STATES,
  MARGIN_MAX,
  MODEL_CALL_MODES,
  OUTCOMES,
  RACE_GOALS,
  RACE_METRICS,
  RUN_STATUSES,
  SEED_MAX,
} from '@agentclash/domain';
import { type Command, Option } from 'commander';
import { type Act } from './act.js';
import { amount, decimal, label, runAgentId, wholeNumber } from './options.js';

const RUN = ['<run>', "the run's id, its beginning or end, or last"] as const;

export function declareRuns(program: Command, act: Act): void {
  const evals = program.command('eval').description('Plan a race, start it and read its result');
  declareStart(evals.command('start'), act);
  declarePlan(evals.command('plan'), act);
  declareReport(evals.command('scorecard'), act);

  const runs = program.command('run').description('Start runs and look at them');
  declareStart(runs.command('start'), act);
  declareReport(runs.command('report'), act);
  declareReading(runs, act);
  declareTurns(runs, act);
  declareControl(runs, act);

  program
    .command('replay')
    .argument('<attempt>', "the attempt's id, or its beginning or end; last is the one that has ended last")
    .option('--delivery <number>', 'show this delivery; default: the last', wholeNumber(1, 1_000))
    .option('--full', 'show texts whole, however long')
    .description('Read what happened in an attempt, step by step')
    .action(act(async () => (await import('../commands/replay.js')).replayAttempt));
}

/** Shows runs and what they recorded. */
function declareReading(runs: Command, act: Act): void {
  runs
    .command('list')
    .addOption(new Option('--status <status>', 'only runs with this status').choices(RUN_STATUSES))
    .option('--pack <slug>', 'only runs of this pack, by slug')
    .option('--deployment <name>', 'only runs with this deployment, by name or id')
    .option('--label <label>', 'only runs with this label: key, or key=value')
    .addOption(
      new Option('--model-calls <mode>', 'only runs whose models were called so').choices(MODEL_CALL_MODES),
    )
    .option('--search <text>', 'only runs whose name, or whose pack, holds this')
    .option('--limit <number>', 'show at most so many runs', wholeNumber(1, 10_000), 50)
    .description('List runs, newest first')
    .action(act(async () => (await import('../commands/run/list.js')).listRuns));
  runs
    .command('show')
    .argument(...RUN)
    .option('--follow', 'show it live until it has ended')
    .description('Show state, progress and times')
    .action(act(async () => (await import('../commands/run/show.js')).showRun));
  runs
    .command('agents')
    .argument(...RUN)
    .description('Show the lanes')
    .action(act(async () => (await import('../commands/run/show.js')).listAgents));
  runs
    .command('attempts')
    .argument(...RUN)
    .addOption(new Option('--state <state>', 'only attempts in this state').choices(ATTEMPT_STATES))
    .addOption(new Option('--outcome <outcome>', 'only attempts that ended so').choices(OUTCOMES))
    .description('Show the attempts with their outcomes')
    .action(act(async () => (await import('../commands/run/attempts.js')).listAttempts));
  runs
    .command('ranking')
    .argument(...RUN)
    .description('Show the ranking')
    .action(act(async () => (await import('../commands/run/ranking.js')).showRanking));
  runs
    .command('failures')
    .argument(...RUN)
    .description('Show why attempts did not pass, failures that are alike together')
    .action(act(async () => (await import('../commands/run/attempts.js')).listFailures));
  runs
    .command('events')
    .argument(...RUN)
    .option('--follow', 'continue with live events until the run has ended')
    .option(
      '--after <position>',
      'show only events after this position',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .description('Show the events')
    .action(act(async () => (await import('../commands/run/events.js')).showEvents));
  runs
    .command('export')
    .argument(...RUN)
    .option('-o, --output <file>', 'write to this file; default: standard output')
    .description('Write the recorded events as NDJSON')
    .action(act(async () => (await import('../commands/run/events.js')).exportEvents));
}

/** Human turns and manual phases. */
function declareTurns(runs: Command, act: Act): void {
  runs
    .command('turns')
    .argument(...RUN)
    .description('Show what waits for a person')
    .action(act(async () => (await import('../commands/run/turns.js')).listTurns));
  runs
    .command('answer')
    .argument('<attempt>', "the attempt's id, or its beginning or end")
    .argument('[message]', 'the reply; default: prompts for it, or reads standard input')
    .description('Reply to the turn that waits for a person')
    .action(act(async () => (await import('../commands/run/turns.js')).replyToTurn));
  runs
    .command('phase')
    .argument('<attempt>', "the attempt's id, or its beginning or end")
    .argument('<phase>', 'the id of a phase with trigger manual')
    .description('Request a manual phase before the conversation reaches it')
    .action(act(async () => (await import('../commands/run/turns.js')).requestPhase));
}

/** Changes the course of a run or its result. */
function declareControl(runs: Command, act: Act): void {
  runs
    .command('pause')
    .argument(...RUN)
    .description('Start no further attempt of a run; running attempts continue')
    .action(act(async () => (await import('../commands/run/control.js')).pauseRun));
  runs
    .command('resume')
    .argument(...RUN)
    .description('Resume a paused run')
    .action(act(async () => (await import('../commands/run/control.js')).resumeRun));
  runs
    .command('cancel')
    .argument(...RUN)
    .description('Cancel a run')
    .action(act(async () => (await import('../commands/run/control.js')).cancelRun));
  runs
    .command('retry')
    // Needed all the same: after `--only`, commander takes it for one of its values.
    .argument('[run]', `${RUN[1]}; needed, before or after --only`)
    .requiredOption(
      '--only <what...>',
      'which attempts: infra (ended by the platform or a provider), failed (all that did not pass), or ids',
    )
    .description('Run finished attempts again in the same run, keeping the evidence of before')
    .action(act(async () => (await import('../commands/run/retry.js')).retryRun));
  runs
    .command('rescore')
    .argument(...RUN)
    .option(
      '--evaluation-spec <id>',
      'score by the evaluation spec of another version of the pack, by its id',
    )
    .option('--no-wait', 'do not wait until it is done')
    .description('Re-score a run from its stored evidence, as a new revision')
    .action(act(async () => (await import('../commands/run/ranking.js')).rescoreRun));
  runs
    .command('delete')
    .argument(...RUN)
    .option('-y, --yes', 'delete without confirmation; required without a terminal')
    .description('Delete a run that has ended, with its evidence and scorecards')
    .action(act(async () => (await import('../commands/run/control.js')).deleteRun));
}

/** `eval start`, and `run start`. */
function declareStart(command: Command, act: Act): void {
  command
    .option('--pack <slug>', 'the challenge pack, by slug or id')
    .option(
      '--pack-version <number>',
      'the version of the pack; default: the newest runnable',
      wholeNumber(1, 2_147_483_647),
    )
    .option('--input-set <key>', 'the input set, by key or id; needed where the version has several')
    .option(
      '--deployment <names...>',
      "the agents, by name, id or an alias of the pack; default: the pack's lineup default",
    )
    .addOption(
      new Option('--lineup <name>', "a lineup of the pack's deployment_defaults").conflicts('deployment'),
    )
    .option('--variant <names...>', 'only these variants of the deployments; default: all that they have')
    .option('--case <keys...>', 'run only these cases of the input set, by key')
    .addOption(
      new Option(
        '--only-failed <run>',
        'run only the cases that an earlier run did not pass, with its version, input set and agents unless named',
      ).conflicts('case'),
    )
    .option('--repetitions <number>', 'run every case so many times', wholeNumber(1, 100))
    .option('--max-concurrency <number>', 'run at most so many attempts at once', wholeNumber(1, 10_000))
    .addOption(
      new Option(
        '--model-calls <mode>',
        'how models are called: record keeps requests and replies, replay serves those of the run --replay-from, cache serves replies to the same requests in the workspace; default: live',
      ).choices(MODEL_CALL_MODES),
    )
    .option(
      '--replay-from <run>',
      'replay this recorded run, with its version, input set, agents and repetitions unless named',
    )
    .option('--label <key=value>', 'a label to find the run by; may be given several times', label)
    .option('--name <name>', 'what the run is called')
    .option('--follow', 'show the race live until it has ended');
  declareEnd(command);
  command
    .description('Start a run')
    .action(act(async () => (await import('../commands/eval/start.js')).startEval));
}

/** When a run ends before its last case, and the order of its cases. */
function declareEnd(command: Command): void {
  command.addOption(
    new Option(
      '--stop-when <condition>',
      'end the run as soon as its verdicts are certain: decided; the chance that any of them is false is at most --alpha, however early it ends',
    ).choices(['decided']),
  );
  declareDecided(command);
  command
    .option(
      '--budget-usd <dollars>',
      'end the run before its calls of models cost more US dollars than this, all agents together; every model needs a price',
      amount(1_000_000),
    )
    .option(
      '--budget-tokens <number>',
      'end the run before its calls of models take more tokens than this, all agents together',
      wholeNumber(1, 1_000_000_000_000),
    )
    .option(
      '--budget-attempts <number>',
      'end the run after so many attempts, with the results that it has by then',
      wholeNumber(1, 100_000),
    )
    .option(
      '--seed <number>',
      'draw the order of the cases from this number; default: drawn at random with --stop-when or a budget, else the order of the pack',
      wholeNumber(0, SEED_MAX),
    );
}

/** The question that a race decides, and its certainty. */
function declareDecided(command: Command): void {
  command
    .addOption(
      new Option(
        '--goal <goal>',
        'what is to be decided: ranking, every pair of agents; best, which one is best; baseline, each agent against --baseline; default: ranking',
      ).choices(RACE_GOALS),
    )
    .addOption(
      new Option(
        '--metric <metric>',
        'by which figure of an attempt: pass, whether it passed, or overall, its score; default: pass',
      ).choices(RACE_METRICS),
    )
    .option(
      '--alpha <probability>',
      'the chance that any verdict of the run is false; default: 0.05',
      decimal(ALPHA_MIN, ALPHA_MAX),
    )
    .option(
      '--margin <difference>',
      'agents that differ by less are equivalent; default: 0, only a difference or the last case decides',
      decimal(0, MARGIN_MAX),
    )
    .option(
      '--baseline <run-agent>',
      'the agent of a completed run to race against, by its id; of the same version and input set',
      runAgentId,
    );
}

/** `eval plan`. */
function declarePlan(command: Command, act: Act): void {
  command
    .option('--pack <slug>', 'the challenge pack, by slug or id')
    .option(
      '--pack-version <number>',
      'the version of the pack; default: the newest runnable',
      wholeNumber(1, 2_147_483_647),
    )
    .option('--input-set <key>', 'the input set, by key or id; needed where the version has several')
    .option(
      '--deployment, --deployments <names...>',
      "the agents, by name, id or an alias of the pack; default: the pack's lineup default",
    )
    .addOption(
      new Option('--lineup <name>', "a lineup of the pack's deployment_defaults").conflicts('deployments'),
    )
    .option('--variant <names...>', 'only these variants of the deployments; default: all that they have')
    .option('--case <keys...>', 'only these cases of the input set, by key')
    .option('--repetitions <number>', 'run every case so many times', wholeNumber(1, 100))
    .option('--max-concurrency <number>', 'run at most so many attempts at once', wholeNumber(1, 10_000))
    .option(
      '--difference <share>',
      'the difference of two agents that the race is to find; default: 0.1',
      decimal(0.001, 1),
    )
    .option(
      '--discordance <share>',
      'the share of cases that only one of two agents passes; default: as in their last runs, else 0.5',
      decimal(0, 1),
    );
  declareDecided(command);
  command
    .option('--seed <number>', 'the seed of the simulations; default: 1', wholeNumber(0, SEED_MAX))
    .description('Plan a race without starting it: the cases that it takes, their cost and time')
    .action(act(async () => (await import('../commands/eval/plan.js')).planEval));
}

/** `eval scorecard`, and `run report`. */
function declareReport(command: Command, act: Act): void {
  command
    .argument('[run]', `${RUN[1]}; default: last`)
    .option('--attempt <id>', 'show one attempt, with all the evidence behind its numbers')
    .option('--all', 'show the evidence of every attempt, not only of the first that failed')
    .option('--baseline <name>', 'compare with this baseline; default: the baseline default, where it is set')
    .option('--policy <policy>', 'the gate policy to decide by, by name or id')
    .option('--agent <name>', 'the lane to compare')
    .option('--junit <file>', 'write the attempts as JUnit XML too')
    .option('--markdown <file>', 'write a summary for CI too')
    .description(
      'Show the attempts, the evidence behind their numbers, the comparison with the baseline, and the ranking',
    )
    .action(act(async () => (await import('../commands/eval/scorecard.js')).showScorecard));
}
