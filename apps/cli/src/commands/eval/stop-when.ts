import type { RunRequest } from '@agentclash/api';
import type { RaceGoal, RaceMetric } from '@agentclash/domain';
import type { z } from 'zod';
import { CommandError } from '../../command-error.js';

/** The options of what a race decides. */
export interface DecidedOptions {
  goal?: RaceGoal;
  metric?: RaceMetric;
  alpha?: number;
  margin?: number;
  baseline?: string;
}

/** The options of the end of a run before its last case. */
export interface EndOptions extends DecidedOptions {
  stopWhen?: 'decided';
  budgetUsd?: number;
  budgetTokens?: number;
  budgetAttempts?: number;
}

type StopWhen = NonNullable<z.input<typeof RunRequest>['stop_when']>;

const OF_DECIDED = ['goal', 'metric', 'alpha', 'margin', 'baseline'] as const;

/**
 * The condition that the options name; undefined without one. A baseline makes the goal `baseline`. Fails with `usage`,
 * naming the options, where they contradict each other.
 */
export function stopWhenOf(given: EndOptions): StopWhen | undefined {
  const { stopWhen } = given;
  const budget = budgetOf(given);
  const decided = stopWhen === undefined ? undefined : decidedOf(given);
  const [needless] = stopWhen === undefined ? OF_DECIDED.filter((name) => given[name] !== undefined) : [];
  if (needless !== undefined) {
    throw new CommandError('usage', `--${needless} needs --stop-when decided`, {
      hint: 'agentclash run start --stop-when decided ends the run as soon as its verdicts are certain.',
    });
  }
  if (decided === undefined && budget === undefined) return undefined;
  return { ...(decided && { decided }), ...(budget && { budget }) };
}

function budgetOf({
  budgetUsd: usd,
  budgetTokens: tokens,
  budgetAttempts: attempts,
}: EndOptions): StopWhen['budget'] {
  if ((usd ?? tokens ?? attempts) === undefined) return undefined;
  return { usd, tokens, attempts };
}

/** A baseline makes the goal `baseline`. Fails with `usage` where the options contradict each other. */
export function decidedOf({
  goal,
  metric,
  alpha,
  margin,
  baseline,
}: DecidedOptions): NonNullable<StopWhen['decided']> {
  if (goal === 'baseline' && baseline === undefined) {
    throw new CommandError(
      'usage',
      '--goal baseline needs --baseline: the id of an agent of a completed run',
      {
        hint: 'agentclash run agents <run> shows the ids.',
      },
    );
  }
  if (baseline !== undefined && goal !== undefined && goal !== 'baseline') {
    throw new CommandError('usage', `--baseline and --goal ${goal} exclude each other`, {
      hint: 'A baseline is raced with --goal baseline, which is its default.',
    });
  }
  return { goal: baseline === undefined ? goal : 'baseline', metric, alpha, margin, baseline };
}
