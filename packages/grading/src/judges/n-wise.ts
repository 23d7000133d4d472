import { compareCodePoints } from '@agentclash/challengepack';
import { sha256Hex } from '../canonical.js';
import type { JudgeSample } from './types.js';

/** The case and repetition that several agents are ranked on. */
export interface NWiseRound {
  readonly judge_key: string;
  readonly case_key: string;
  /** From 1. */
  readonly repetition: number;
  readonly position_debiasing: boolean;
}

/**
 * The order in which a sample shows the agents. With debiasing, samples rotate one order and every second one shows
 * it backwards, so that a judge that favours a position favours everyone in turn.
 */
export function nWiseOrder(round: NWiseRound, agents: readonly string[], sample: number): string[] {
  if (!round.position_debiasing) return shuffled(round, agents, [sample]);
  const base = shuffled(round, agents, []);
  const shift = base.length === 0 ? 0 : Math.floor(sample / 2) % base.length;
  const rotated = [...base.slice(shift), ...base.slice(0, shift)];
  return sample % 2 === 1 ? rotated.reverse() : rotated;
}

/** A shuffle that depends on nothing but what is named. */
function shuffled(
  { judge_key, case_key, repetition }: NWiseRound,
  agents: readonly string[],
  salt: readonly number[],
): string[] {
  const digest = (agent: string) => sha256Hex([judge_key, case_key, repetition, ...salt, agent].join('\n'));
  return agents
    .map((agent) => ({ agent, digest: digest(agent) }))
    .sort((a, b) => compareCodePoints(a.digest, b.digest) || compareCodePoints(a.agent, b.agent))
    .map(({ agent }) => agent);
}

/** A, B, … Z, AA, AB, …: the label of a position. */
export function candidateLabel(position: number): string {
  const letter = String.fromCharCode(65 + (position % 26));
  return position < 26 ? letter : candidateLabel(Math.floor(position / 26) - 1) + letter;
}

/** An agent's share of a ranking over `field` agents, those not shown included. */
export function rankingShare(position: number, field: number): number {
  return (field - 1 - position) / (field - 1);
}

/** Pairs of samples that show the agents in opposite orders, and how many of them name different winners. */
export interface OrderFlips {
  readonly pairs: number;
  readonly flipped: number;
}

/** Samples 2j and 2j + 1 of a model show opposite orders. Samples without a ranking are no part of a pair. */
export function orderFlips(samples: readonly Pick<JudgeSample, 'model' | 'index' | 'ranking'>[]): OrderFlips {
  const winners = new Map(
    samples.flatMap(({ model, index, ranking }): [string, string][] => {
      const winner = ranking?.[0];
      return winner === undefined ? [] : [[JSON.stringify([model, index]), winner]];
    }),
  );
  const pairs = samples.flatMap(({ model, index }) => {
    const first = winners.get(JSON.stringify([model, index]));
    const second = winners.get(JSON.stringify([model, index + 1]));
    return index % 2 === 0 && first !== undefined && second !== undefined ? [first !== second] : [];
  });
  return { pairs: pairs.length, flipped: pairs.filter(Boolean).length };
}
