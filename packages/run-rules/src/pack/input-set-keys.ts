import type { CaseKey } from '@agentclash/contracts';

/** The cases of an input set as far as a run is admitted by them: their keys, and who plays their users. */
export interface InputSetKeys {
  /** In authored order. */
  keys: string[];
  /** The challenges of the cases, by case. */
  challenges: Map<string, string>;
  /** The actors of all simulated users, each with each model that it names, once. */
  phases: CaseKey['phases'];
  /** The cases in which a person takes turns. */
  withPerson: Set<string>;
}

/** Reads page by page; what is kept of a case is its key. */
export async function foldKeys(pages: AsyncIterable<readonly CaseKey[]>): Promise<InputSetKeys> {
  const keys: string[] = [];
  const challenges = new Map<string, string>();
  const withPerson = new Set<string>();
  const names = new Map<string, string>();
  const phases = new Map<string, CaseKey['phases'][number]>();
  for await (const page of pages) {
    for (const { case_key: key, challenge_key: challenge, phases: own } of page) {
      keys.push(key);
      // One string for each challenge instead of one for each case.
      const name = names.get(challenge) ?? challenge;
      names.set(name, name);
      challenges.set(key, name);
      if (own.some(({ actor }) => actor === 'human')) withPerson.add(key);
      for (const phase of own) phases.set(JSON.stringify([phase.actor, phase.model]), phase);
    }
  }
  return { keys, challenges, phases: [...phases.values()], withPerson };
}
