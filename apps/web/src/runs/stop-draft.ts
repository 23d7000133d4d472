import type { RunRequest } from '@agentclash/api';
import type { RaceGoal, RaceMetric } from '@agentclash/domain';
import type { z } from 'zod';

/** When a run ends before its last case, as a form holds it. Empty texts: the server's defaults, or no limit. */
export interface StopDraft {
  /** True for a race that ends with its verdicts. */
  isDecided: boolean;
  goal: RaceGoal;
  metric: RaceMetric;
  alpha: string;
  margin: string;
  /** Of the goal `baseline`: a completed run, and the run agent of it; empty before a choice. */
  baselineRun: string;
  baseline: string;
  /** The budget, of which each part is optional. */
  usd: string;
  tokens: string;
  attempts: string;
}

export const EMPTY_STOP: StopDraft = {
  isDecided: false,
  goal: 'ranking',
  metric: 'pass',
  alpha: '0.05',
  margin: '0',
  baselineRun: '',
  baseline: '',
  usd: '',
  tokens: '',
  attempts: '',
};

type StopWhen = NonNullable<z.input<typeof RunRequest>['stop_when']>;

/** The conditions of a draft; undefined for a run of all cases. */
export function readStop(draft: StopDraft): StopWhen | undefined {
  const { isDecided, goal, metric, alpha, margin, baseline, usd, tokens, attempts } = draft;
  if (!isDecided && !hasBudget(draft)) return undefined;
  return {
    ...(isDecided && {
      decided: {
        ...{ goal, metric },
        ...(alpha && { alpha: Number(alpha) }),
        ...(margin && { margin: Number(margin) }),
        ...(goal === 'baseline' && { baseline }),
      },
    }),
    ...(hasBudget(draft) && {
      budget: {
        ...(usd && { usd: Number(usd) }),
        ...(tokens && { tokens: Number(tokens) }),
        ...(attempts && { attempts: Number(attempts) }),
      },
    }),
  };
}

export function hasBudget({ usd, tokens, attempts }: StopDraft): boolean {
  return [usd, tokens, attempts].some((part) => part !== '');
}

/** True when the goal lacks its baseline. */
export function lacksBaseline({ isDecided, goal, baseline }: StopDraft): boolean {
  return isDecided && goal === 'baseline' && baseline === '';
}

export function withoutBaseline(draft: StopDraft): StopDraft {
  return { ...draft, baselineRun: '', baseline: '' };
}
