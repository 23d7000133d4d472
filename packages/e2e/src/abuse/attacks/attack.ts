import type { Client } from '@agentclash/api';

/** The access of an attacker: an admin's token of one workspace, and a user of the bus. */
export interface AttackSite {
  client: Client;
  token: string;
  workspace: string;
  /** Of the HTTP API. */
  url: string;
  bus: BusLogin;
  scale: Scale;
}

export interface BusLogin {
  url: string;
  user: string;
  password: string;
  workspaceId: string;
}

/** How much of an attack there is: `short` for the suite, `whole` for the nightly run and the bench. */
export type Scale = 'short' | 'whole';

/** How often the attacker got what, such as `{ 'http 422': 12 }`. */
export type Outcomes = Record<string, number>;

/** An attack whose load is on. */
export interface RunningAttack {
  /** Stops what has not begun, waits for the rest, and returns what the attacker got. */
  end(): Promise<Outcomes>;
}

export interface Attack {
  summary: string;
  /** The responses that the attacker may get; anything else is a violation. */
  expected: readonly RegExp[];
  /** A response that the attacker must get at least once: the attack has reached what defends against it. */
  required: RegExp;
  /** Resolves once the load is on. */
  start: (site: AttackSite) => Promise<RunningAttack>;
}

/** The violations in the outcomes of an attack; empty when there are none. */
export function outcomeViolations(
  { expected, required }: Pick<Attack, 'expected' | 'required'>,
  outcomes: Outcomes,
): string[] {
  const got = Object.keys(outcomes);
  const unexpected = got.filter((outcome) => ![...expected, required].some((each) => each.test(outcome)));
  return [
    ...unexpected.map((outcome) => `the attacker got ${outcome} (${outcomes[outcome]})`),
    ...(got.some((outcome) => required.test(outcome)) ? [] : [`the attacker did not get ${required.source}`]),
  ];
}

export function count(outcomes: Outcomes, outcome: string, by = 1): void {
  outcomes[outcome] = (outcomes[outcome] ?? 0) + by;
}

/** The same kind of work again and again, `atOnce` at a time, until it is ended. */
export function repeatedly(
  atOnce: number,
  work: (signal: AbortSignal) => Promise<void>,
): RunningAttack['end'] {
  const ended = new AbortController();
  const loop = async () => {
    while (!ended.signal.aborted) await work(ended.signal);
  };
  const loops = Promise.all(Array.from({ length: atOnce }, loop));
  return async () => {
    ended.abort();
    await loops;
    return {};
  };
}
