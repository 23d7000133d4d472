import {
  ALPHA_MAX,
  ALPHA_MIN,
  MARGIN_MAX,
  MODEL_CALL_MODES,
  RACE_GOALS,
  RACE_METRICS,
  SEED_MAX,
} from '@agentclash/domain';
import { type Command, Option } from 'commander';
import { type Act } from './act.js';
import { amount, decimal, label, runAgentId, wholeNumber } from './options.js';

/** `eval start`, and `run start`. */
export function declareStart(command: Command, act: Act): void {
  declareScope(command, { flags: '--deployment <names...>', name: 'deployment' });
  command
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

/** `run local`, and `run PACK`. */
export function declareLocal(command: Command, act: Act): void {
  const runPack = act(async () => (await import('../commands/run/local/run-pack.js')).runPack);
  command
    .argument('[pack]', 'the file of the pack, or the folder that holds its pack.yaml')
    .option('--agents <file>', 'the deployment file of the agents, as for apply -f')
    .option('--input-set <key>', 'the input set, by key; needed where the pack has several')
    .option('--deployment <names...>', 'only these agents of the file; default: all of them')
    .addOption(
      new Option('--lineup <name>', "a lineup of the pack's deployment_defaults").conflicts('deployment'),
    )
    .option('--variant <names...>', 'only these variants of the deployments; default: all that they have')
    .option('--case <keys...>', 'run only these cases of the input set, by key')
    .option('--repeat, --repetitions <number>', 'run every case so many times', wholeNumber(1, 100))
    .option('--max-concurrency <number>', 'run at most so many attempts at once', wholeNumber(1, 10_000))
    .option('--seed <number>', 'draw the order of the cases from this number', wholeNumber(0, SEED_MAX))
    .option(
      '--secret <name...>',
      'a secret that agents, tools or accounts name: NAME has the value of the environment variable NAME; NAME=VALUE gives it, for all users of this machine to see',
    )
    .option(
      '--allow-loopback-endpoints',
      'endpoints and provider accounts of the file may be on this machine, such as a local model',
    )
    .option('--label <key=value>', 'a label to find the run by; may be given several times', label)
    .option('--name <name>', 'what the run is called')
    .addOption(
      new Option(
        '-o, --output <file>',
        'the file of results; default: the slug of the pack and the time',
      ).conflicts('resume'),
    )
    .option('--resume <file>', 'continue the interrupted run of this file of results')
    .description('Run a pack in this process, without a server: agentclash run PACK --agents FILE')
    .action(async (...given: unknown[]) => {
      // `agentclash run` alone is the group without a command.
      if (command.args.length + Object.keys(command.opts()).length === 0)
        command.parent?.help({ error: true });
      await runPack(...given);
    });
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
export function declarePlan(command: Command, act: Act): void {
  declareScope(command, { flags: '--deployment, --deployments <names...>', name: 'deployments' });
  command
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

/** The version, the input set and the agents of a run; `agents` is the option that names them. */
function declareScope(command: Command, agents: { flags: string; name: string }): void {
  command
    .option('--pack <slug>', 'the challenge pack, by slug or id')
    .option(
      '--pack-version <number>',
      'the version of the pack; default: the newest runnable',
      wholeNumber(1, 2_147_483_647),
    )
    .option('--input-set <key>', 'the input set, by key or id; needed where the version has several')
    .option(
      agents.flags,
      "the agents, by name, id or an alias of the pack; default: the pack's lineup default",
    )
    .addOption(
      new Option('--lineup <name>', "a lineup of the pack's deployment_defaults").conflicts(agents.name),
    )
    .option('--variant <names...>', 'only these variants of the deployments; default: all that they have');
}
