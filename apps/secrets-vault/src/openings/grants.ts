import { ContractError, type In, type vault } from '@agentclash/contracts';
import { names } from '../secrets/names.js';
import type { Grant, Holder } from './openings.store.js';

/** Shorter values occur in ordinary text by chance and cannot be redacted. */
const REDACTABLE_BYTES_MIN = 4;

/** The single grants of a request. */
export function grantsOf({ keys, agents = [], judges = [] }: In<typeof vault.grant>): Grant[] {
  const to = (holder: Holder, granted: readonly string[]) => granted.map((key) => ({ holder, key }));
  return [
    ...to('run', keys),
    ...agents.flatMap(({ run_agent_id, keys }) => to(run_agent_id, keys)),
    ...to('judges', judges),
  ];
}

/** Fails with `secret_too_short` for values that could not be redacted, naming them. */
export function assertRedactable(secrets: readonly { key: string; valueBytes: number }[]): void {
  const short = secrets.filter(({ valueBytes }) => valueBytes < REDACTABLE_BYTES_MIN).map(({ key }) => key);
  if (short.length === 0) return;
  throw new ContractError(
    'secret_too_short',
    `Secrets under ${REDACTABLE_BYTES_MIN} bytes: ${names(short)}.`,
    { keys: short.sort() },
  );
}
