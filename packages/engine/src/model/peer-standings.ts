import { createHash } from 'node:crypto';
import type { RaceContext } from '@agentclash/attempt-plan';
import type { PeerProgress } from '@agentclash/domain';
import type { Clock } from '../clock.js';
import type { AttemptEvents } from '../events/attempt-events.js';
import { unlessAborted } from '../outcome/attempt-end.js';
import { estimateTokens } from './observed-call.js';
import type { Steps } from './steps.js';

/** The progress of the other lanes with the same case. */
export type PeerLookup = (signal: AbortSignal) => Promise<readonly PeerProgress[]>;

/** Earlier iterations have no progress to report. */
const FIRST_ITERATION = 3;
/** The timeout of a lookup, after which it is ignored. */
const LOOKUP_MS = 2_000;

export interface PeerStandingsContext {
  attemptId: string;
  race: RaceContext | undefined;
  peers?: PeerLookup | undefined;
  history: { events: AttemptEvents };
  steps: Steps;
  clock: Clock;
  stage: { signal: AbortSignal };
}

/** The standings that a model receives before an iteration; undefined when the run isolates its lanes. */
export function peerStandings(
  context: PeerStandingsContext,
): ((iteration: number) => Promise<string | undefined>) | undefined {
  const { race, peers } = context;
  if (!race || !peers) return undefined;
  let injectedAt: number | undefined;
  let finished: number | undefined;
  return async (iteration) => {
    const found = await lookUp(peers, context);
    if (!found || found.length === 0) return undefined;
    const finishedNow = found.filter(({ state }) => state === 'finished').length;
    const hasNewFinish = finished !== undefined && finishedNow > finished;
    finished = finishedNow;
    const isDue =
      iteration >= FIRST_ITERATION &&
      (injectedAt === undefined || iteration - injectedAt >= race.min_step_gap);
    if (!isDue && !hasNewFinish) return undefined;
    injectedAt = iteration;
    const text = standings(found, context.attemptId);
    const trigger = hasNewFinish ? 'peer_finished' : 'step_gap';
    const injected = { step_index: context.steps.count, trigger, text, tokens_added: estimateTokens(text) };
    context.history.events.record('race.standings.injected', injected);
    return text;
  };
}

/** Undefined when the lookup failed or took too long. */
async function lookUp(
  peers: PeerLookup,
  { clock, stage }: PeerStandingsContext,
): Promise<readonly PeerProgress[] | undefined> {
  const over = new AbortController();
  const signal = AbortSignal.any([stage.signal, over.signal]);
  clock.sleep(LOOKUP_MS, signal).then(
    () => over.abort(),
    () => undefined,
  );
  try {
    return await unlessAborted(peers(signal), signal);
  } catch {
    stage.signal.throwIfAborted();
    return undefined;
  } finally {
    over.abort();
  }
}

const STATES: Record<PeerProgress['state'], (steps: number) => string> = {
  waiting: () => 'has not begun',
  working: (steps) => `working, ${steps} ${steps === 1 ? 'step' : 'steps'} so far`,
  finished: (steps) => `finished after ${steps} ${steps === 1 ? 'step' : 'steps'}`,
};

/** Neutral on purpose: letters are assigned again for every attempt, so that they identify no lane across cases. */
function standings(peers: readonly PeerProgress[], attemptId: string): string {
  const dealt = peers
    .map((peer) => ({ peer, deal: createHash('sha256').update(`${attemptId} ${peer.id}`).digest('hex') }))
    .sort((a, b) => (a.deal < b.deal ? -1 : 1));
  const lines = dealt.map(({ peer }, index) => `${letter(index)}: ${STATES[peer.state](peer.steps)}`);
  return ['For information only: how far others are with the same task.', ...lines].join('\n');
}

/** A, B, … Z, AA, AB, … */
function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}
