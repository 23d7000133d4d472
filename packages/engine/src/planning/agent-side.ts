import type { AgentInput, Case, Challenge } from '@agentclash/challengepack';
import type { PlannedCase, PlannedChallenge } from '../plan.js';

/** What of a challenge an agent may learn: its title and the effective instruction. */
export function plannedChallenge(
  challenge: Pick<Challenge, 'title' | 'instructions'> & Partial<Pick<Challenge, 'definition'>>,
): PlannedChallenge {
  const { title, definition = {} } = challenge;
  const instructions = Object.hasOwn(definition, 'instructions')
    ? definition.instructions
    : challenge.instructions;
  return { title, ...(typeof instructions === 'string' && { instructions }) };
}

/** What of a case an agent may learn. `staged` gives the path at which an input's artifact lies, by input key. */
export function plannedCase(
  { payload, inputs = [] }: Pick<Case, 'payload' | 'inputs'>,
  staged: ReadonlyMap<string, string> = new Map(),
): PlannedCase {
  const { workspace_files: _, ...shown } = payload;
  return {
    payload: shown,
    inputs: inputs.map(({ key, kind, value, path }): AgentInput => {
      const file = staged.get(key);
      return {
        key,
        kind,
        ...(kind !== 'workspace' && value !== undefined && value !== null && { value }),
        ...(path !== undefined && { path }),
        ...(file !== undefined && { file }),
      };
    }),
  };
}
