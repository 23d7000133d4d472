import type { AttemptFacts } from './attempt-facts.js';

/** Per gate: false once it was below in a usable attempt, else null once it was unavailable, else true. */
export function gatesHeld(
  gates: readonly string[],
  usable: readonly AttemptFacts[],
): Record<string, boolean | null> {
  return Object.fromEntries(
    gates.map((gate) => [gate, held(usable.map((facts) => facts.gates[gate] ?? null))]),
  );
}

function held(outcomes: readonly (boolean | null)[]): boolean | null {
  if (outcomes.includes(false)) return false;
  return outcomes.length === 0 || outcomes.includes(null) ? null : true;
}
