import { ImportError } from '../framework/import-error.js';
import { type ImportSource, readText } from '../framework/import-source.js';
import type { Losses } from '../framework/loss-report.js';
import { readArtifacts, readEnv, reportPhase } from './read-values.js';
import type { HarborTask, TaskFile, TaskStep } from './task.js';
import { isTable, type TableReader } from './toml.js';

interface StepsOptions {
  source: ImportSource;
  base: string;
  losses: Losses;
  /** The files below a folder of the task. */
  filesOf: (part: string) => Promise<TaskFile[]>;
}

/** Reads `[[steps]]` and the folders of the steps. */
export async function readSteps(
  root: TableReader,
  options: StepsOptions,
): Promise<Pick<HarborTask, 'steps' | 'stepRewards'>> {
  const { losses } = options;
  const tables = root.subs('steps') ?? [];
  let stepRewards: HarborTask['stepRewards'] = 'mean';
  for (const key of ['multi_step_reward_strategy', 'multi_step_reward_mode']) {
    const strategy = root.any(key);
    if (strategy === undefined) continue;
    if (strategy === 'final') stepRewards = 'final';
    const isKnown = strategy === 'mean' || strategy === 'final';
    if (isKnown) losses.carried(root.where, key, `phases of the validator: ${strategy}`);
    else losses.changed(root.where, key, 'the reward is the mean of the steps that were graded');
  }
  const steps: TaskStep[] = [];
  for (const table of tables) {
    const step = await readStep(table, options);
    if (steps.some(({ name }) => name === step.name))
      throw table.fail('name', 'another step has the same name');
    steps.push(step);
  }
  return { steps, stepRewards };
}

/** Of the reward alone: other metrics decide nothing between messages. */
function readMinReward(table: TableReader, losses: Losses): Pick<TaskStep, 'minReward'> {
  const given = table.any('min_reward');
  if (given === undefined) return {};
  const key = table.at('min_reward');
  const only = isTable(given) && Object.keys(given).length === 1 ? given.reward : given;
  if (typeof only === 'number' && only >= 0 && only <= 1) {
    losses.carried(table.where, key, 'the gate of the phase');
    return { minReward: only };
  }
  losses.dropped(
    table.where,
    key,
    'a gate compares the reward alone, from 0 to 1: the next step always follows',
  );
  return {};
}

async function readStep(
  table: TableReader,
  { source, base, losses, filesOf }: StepsOptions,
): Promise<TaskStep> {
  const { where } = table;
  const name = table.string('name');
  if (name === undefined || !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    throw table.fail('name', 'expected the name of a folder below steps/');
  }
  losses.carried(where, table.at('name'), 'one message of the conversation');
  const folder = `steps/${name}`;
  const instructionFile = `${base}${folder}/instruction.md`;
  if (!(await source.find(instructionFile))) {
    throw new ImportError({ file: instructionFile, message: 'the step has no instruction' });
  }
  if (table.any('healthcheck') !== undefined) {
    losses.dropped(where, table.at('healthcheck'), 'nothing but the agent runs in its sandbox');
  }
  const agent = table.sub('agent');
  const agentSeconds = agent?.number('timeout_sec');
  if (agent && agentSeconds !== undefined) {
    losses.changed(
      where,
      agent.at('timeout_sec'),
      'the limits of all steps are added up, for the whole attempt',
    );
  }
  const verifier = table.sub('verifier');
  const verifierSeconds = verifier?.number('timeout_sec');
  if (verifier && verifierSeconds !== undefined) {
    losses.carried(where, verifier.at('timeout_sec'), 'the time limit of the tests');
  }
  const verifierEnv = verifier ? readEnv(verifier, losses) : {};
  for (const part of [agent, verifier]) {
    if (!part) continue;
    reportPhase(part, losses);
    for (const key of part.unread()) {
      losses.dropped(where, part.at(key), 'unknown key');
    }
  }
  const folders = readArtifacts(table, losses);
  const minReward = readMinReward(table, losses);
  for (const key of table.unread()) losses.dropped(where, table.at(key), 'unknown key');
  const step: TaskStep = {
    name,
    instruction: (await readText(source, instructionFile)).trim(),
    ...minReward,
    ...(agentSeconds !== undefined && { agentSeconds }),
    ...(verifierSeconds !== undefined && { verifierSeconds }),
    verifierEnv,
    folders,
    workdir: await filesOf(`${folder}/workdir`),
    tests: await filesOf(`${folder}/tests`),
    solution: await filesOf(`${folder}/solution`),
  };
  losses.carried(instructionFile, 'instruction.md', 'one message of the conversation');
  reportStepFiles(step, { where: `${base}${folder}`, losses });
  return step;
}

function reportStepFiles(step: TaskStep, { where, losses }: { where: string; losses: Losses }): void {
  if (step.tests.length > 0)
    losses.carried(
      where,
      'tests/',
      "files of the verifier's sandbox after this step, over those of the task",
    );
  for (const { path } of step.workdir) {
    if (path === 'setup.sh')
      losses.dropped(where, 'workdir/setup.sh', 'nothing but the agent runs in its sandbox');
    else
      losses.changed(
        where,
        `workdir/${path}`,
        'in the working directory from the beginning, not from this step on',
      );
  }
  if (step.solution.length > 0) losses.carried(where, 'solution/', "the oracle's steps after this message");
}
