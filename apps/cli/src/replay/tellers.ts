import { numberIn, type Payload } from '@agentclash/domain';
import { bytes } from '../terminal/figures.js';
import { AGENT_TELLERS } from './agent-tellers.js';
import { TALK_TELLERS } from './talk-tellers.js';
import type { Teller, Telling } from './telling.js';
import { WORLD_TELLERS } from './world-tellers.js';

const TELLERS: Readonly<Record<string, Teller>> = { ...AGENT_TELLERS, ...WORLD_TELLERS, ...TALK_TELLERS };

/** Tells a step by its type; an end without its start as the whole, and what no version here knows, member by member. */
export function tell(type: string, said: Payload): Telling {
  const telling = told(type, said);
  if (typeof said.$ref !== 'string') return telling;
  const size = bytes(numberIn(said, 'bytes') ?? 0);
  return { ...telling, lines: [['kept apart', `${size}, too large to be shown: ${said.$ref}`]] };
}

function told(type: string, said: Payload): Telling {
  const base = type.replace(/\.(started|completed|failed)$/, '');
  const name = [type, base].find((each) => Object.hasOwn(TELLERS, each));
  const teller = name === undefined ? undefined : TELLERS[name];
  return teller?.(said) ?? { title: type.replaceAll('.', ' '), lines: Object.entries(said) };
}

/** The types that have words of their own. */
export const TOLD_TYPES: readonly string[] = Object.keys(TELLERS);
