import { ATTEMPT_STATES, MODEL_CALL_MODES, OUTCOMES, RUN_STATUSES } from '@agentclash/domain';
import { type Command, Option } from 'commander';
import { type Act } from './act.js';
import { label, textNoOption, textOfLength, wholeNumber } from './options.js';
import { declareLocal, declarePlan, declareStart } from './run-requests.js';

const IMPORT_FORMATS = ['jsonl', 'atif', 'inspect'] as const;
const EXPORT_FORMATS = ['events', 'jsonl', 'csv', 'parquet', 'atif', 'inspect', 'otel'] as const;
const RUN = ['<run>', "the run's number (42 or #42), its id, a beginning or end of that, or last"] as const;

export function declareRuns(program: Command, act: Act): void {
  const evals = program.command('eval').description('Plan a race, start it and read its result');
  declareStart(evals.command('start'), act);
  declarePlan(evals.command('plan'), act);
  declareReport(evals.command('scorecard'), act);

  const runs = program.command('run').description('Run a pack here, start runs on a server and look at them');
  declareLocal(runs.command('local', { isDefault: true }), act);
  declareStart(runs.command('start'), act);
  declareReport(runs.command('report'), act);
  declareImport(runs.command('import'), act);
  declareReading(runs, act);
  declareShare(runs, act);
  declareTurns(runs, act);
  declareControl(runs, act);

  program
    .command('view')
    .argument('<file>', 'a file of results (.clash)')
    .option('--print', 'print the link and open no browser')
    .description('Show a file of results in the web app, on this machine alone, until Ctrl-C')
    .action(act(async () => (await import('../commands/view.js')).viewResults));
  program
    .command('push')
    .argument('<file>', 'a file of results (.clash)')
    .option('--name <name>', 'a name for the run; default: its own')
    .option('--no-wait', 'do not wait until the run is ranked')
    .description('Store a file of results on a server as a run that was recorded elsewhere')
    .action(act(async () => (await import('../commands/run/push.js')).pushResults));
  program
    .command('replay')
    .argument('<attempt>', "the attempt's id, or its beginning or end; last is the one that has ended last")
    .option('--delivery <number>', 'show this delivery; default: the last', wholeNumber(1, 1_000))
    .option('--run <file>', 'the file of results (.clash) that has the attempt; else it is on the server')
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
    .alias('get')
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
    .description('Show why attempts did not pass: a row for each agent, case and reason')
    .action(act(async () => (await import('../commands/run/attempts.js')).listFailures));
  runs
    .command('search')
    .argument(...RUN)
    .argument('<text>', 'what to find, in any case of letters', textOfLength(2, 200))
    .option('--agent <name>', 'only attempts of this lane')
    .option('--case <key>', 'only attempts at this case')
    .option('--limit <number>', 'show at most so many matches', wholeNumber(1, 10_000), 50)
    .description('Find a text in what the agents received, wrote and did')
    .action(act(async () => (await import('../commands/run/search.js')).searchRun));
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
    .addOption(
      new Option(
        '--format <format>',
        'events: the recorded events as NDJSON; jsonl, csv, parquet: the results of the attempts; atif, inspect, otel: their trajectories with scores',
      )
        .choices(EXPORT_FORMATS)
        .default('events'),
    )
    .option('--lane <name>', 'only this lane; needed for inspect, where a log is of one lane')
    .option('-o, --output <file>', 'write to this file; default: standard output')
    .description('Write the recorded events, or the results of the attempts, in a format for other tools')
    .action(act(async () => (await import('../commands/run/export.js')).exportRun));
}

/** Links for people without access to the workspace. */
function declareShare(runs: Command, act: Act): void {
  runs
    .command('share')
    .argument(...RUN)
    .option(
      '--expires <time>',
      'until when: a date, a time (RFC 3339), or a span such as 7d; default: 7 days',
    )
    .addOption(new Option('--list', 'list the links of the run').conflicts(['expires', 'revoke']))
    .option('--revoke <link>', 'revoke this link at once, by id or a part of it')
    .description('Create a link that shows the results of a run, read-only and without a sign-in')
    .action(act(async () => (await import('../commands/run/share.js')).shareRun));
}

/** Finished attempts of other tools. */
function declareImport(command: Command, act: Act): void {
  command
    .argument('<file>', 'the file to import')
    .addOption(
      new Option(
        '--format <format>',
        'jsonl: results; atif: trajectories; inspect: an .eval log; each as run export writes it, or another tool',
      )
        .choices(IMPORT_FORMATS)
        .default('jsonl'),
    )
    .option('--pack <slug>', 'the pack that the attempts are of; default: as in the file')
    .option(
      '--pack-version <number>',
      'the version of the pack; default: as in the file',
      wholeNumber(1, 1_000_000),
    )
    .option('--input-set <key>', 'the input set that has the cases; default: as in the file')
    .option('--lane <name>', 'the lane of attempts of which the file names none')
    .option('--case <key>', 'the case of attempts of which the file names none')
    .option('--name <name>', 'a name for the run')
    .option('--grade', 'grade by the pack what evidence there is, instead of keeping recorded scores')
    .option('--skip-unmatched', 'leave out attempts of cases that the input set does not have')
    .option('--no-wait', 'do not wait until the run is ranked')
    .description('Store attempts that were run elsewhere as a run, to be ranked, compared and gated')
    .action(act(async () => (await import('../commands/run/import.js')).importRun));
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
    .command('edit')
    .argument(...RUN)
    .option('--name <name>', "the name of the run; '' removes it")
    .option('--note <text>', "remarks about the run; '' removes them")
    .option('--label <key=value>', 'set this label; may be given several times', label)
    .option('--remove-label <keys...>', 'remove these labels, by key')
    .description('Change the name, the note and the labels of a run')
    .action(act(async () => (await import('../commands/run/edit.js')).editRun));
  runs
    .command('again')
    .argument(...RUN)
    .option('--name <name>', 'what the new run is called; default: as the first')
    .option(
      '--label <key=value>',
      'a label in addition to those of the first run; may be given several times',
      label,
    )
    .option('--follow', 'show the race live until it has ended')
    .description('Start a run like another one: the same version, input set, deployments and settings')
    .action(act(async () => (await import('../commands/run/again.js')).repeatRun));
  runs
    .command('delete')
    .argument(...RUN)
    .option('-y, --yes', 'delete without confirmation; required without a terminal')
    .description('Delete a run that has ended, with its evidence and scorecards')
    .action(act(async () => (await import('../commands/run/control.js')).deleteRun));
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
    .option('--junit <file>', 'write the attempts as JUnit XML too', textNoOption)
    .option('--markdown <file>', 'write a summary for CI too')
    .description(
      'Show the attempts, the evidence behind their numbers, the comparison with the baseline, and the ranking',
    )
    .action(act(async () => (await import('../commands/eval/scorecard.js')).showScorecard));
}
