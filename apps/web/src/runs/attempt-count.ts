import type { Deployment, InputSet } from '@agentclash/api';
import type { RunDraft } from './run-draft.js';

interface Chosen {
  /** Undefined before a choice. */
  set: InputSet | undefined;
  deployments: readonly Deployment[];
  /** Names of the variants that race, of deployments that have some. */
  variants: readonly string[];
}

/** The size of a run in words: cases × agents × repetitions; undefined while it is unknown. */
export function attemptCount(draft: RunDraft, { set, deployments, variants }: Chosen): string | undefined {
  // How many cases an earlier run did not pass is known to the server.
  if (draft.onlyFailedOf.trim() !== '') return undefined;
  const named = new Set((draft.cases ?? '').split('\n').map((key) => key.trim()));
  named.delete('');
  const cases = named.size > 0 ? named.size : set?.case_count;
  const agents = deployments.reduce((sum, { variants: own }) => {
    return sum + (own === undefined ? 1 : Object.keys(own).filter((name) => variants.includes(name)).length);
  }, 0);
  const repetitions = Number(draft.repetitions || 1);
  if (cases === undefined || agents === 0 || !Number.isInteger(repetitions)) return undefined;
  const attempts = cases * agents * repetitions;
  const factors = [
    counted(cases, 'case'),
    counted(agents, 'agent'),
    ...(repetitions > 1 ? [counted(repetitions, 'repetition')] : []),
  ];
  return `${counted(attempts, 'attempt')}: ${factors.join(' × ')}`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
