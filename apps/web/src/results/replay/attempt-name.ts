import type { Attempt } from '@agentclash/api';

/** A name that is unique among the attempts of one case. */
export function attemptName({ agent_name, repetition }: Pick<Attempt, 'agent_name' | 'repetition'>): string {
  return repetition > 1 ? `${agent_name} #${repetition}` : agent_name;
}
