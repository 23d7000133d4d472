import type { AttemptPlan } from '@agentclash/attempt-plan';
import { Bus } from '@agentclash/bus';
import { leases } from '@agentclash/contracts';
import { type ConversationState, documentOf, type ParkedAttempt } from '@agentclash/engine';
import { retryWhileUnavailable } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../../machine/machine.js';
import { type Holding, RECONNECT_TIMEOUT_MS } from '../leases/leases.loop.js';
import type { EventOutbox } from '../reports/event-outbox.js';
import { ParkedAttempts } from './parked-attempts.js';

/** Longer conversations rest in the blob store. */
const STATE_BYTES_MAX = 262_144;
/** Of the agent's last message, for the person who is to reply. */
const LAST_MESSAGE_CHARACTERS_MAX = 4_000;

interface Parked {
  plan: AttemptPlan;
  holding: Holding;
  outbox: EventOutbox;
  signal: AbortSignal;
}

/** Leaves attempts to wait for people. */
@Injectable()
export class Parking {
  constructor(
    private readonly bus: Bus,
    private readonly parked: ParkedAttempts,
    @Inject(MACHINE) private readonly machine: Machine,
  ) {}

  /**
   * Stores the conversation with the orchestrator and holds the sandbox. False: the attempt must end instead. The turn
   * is stored before its event is published, so that a quick reply finds it waiting.
   */
  async park(attempt: ParkedAttempt, { plan, holding, outbox, signal }: Parked): Promise<boolean> {
    const { state, sandbox, turn_index, phase_id, deadline_at } = attempt;
    const awaits = { turn_index, phase_id, deadline_at, last_message: lastMessage(state) };
    const report = { ...holding, awaits, state: await this.persistState(state) };
    const { parked } = await retryWhileUnavailable(() => this.bus.call(leases.park, report), {
      timeoutMs: RECONNECT_TIMEOUT_MS,
    });
    await outbox.flush();
    if (!parked || signal.aborted) return false;
    const deadlineMs = Date.parse(deadline_at);
    this.parked.keep({ holding, runId: plan.run_id, sandbox, deadlineMs });
    return true;
  }

  /** The conversation of a parked attempt, as the orchestrator returns it. */
  async loadState(stored: Record<string, unknown>): Promise<ConversationState> {
    const { $ref: sha256 } = stored;
    const state = typeof sha256 === 'string' ? await this.read(sha256) : stored;
    return documentOf('agentclash.conversation/1', state);
  }

  private async persistState(state: ConversationState): Promise<Record<string, unknown>> {
    const text = JSON.stringify(state);
    if (Buffer.byteLength(text) <= STATE_BYTES_MAX) return { ...state };
    const { sha256, bytes } = await this.machine.blobs.evidence.put(text);
    return { $ref: sha256, bytes };
  }

  private async read(sha256: string): Promise<Record<string, unknown>> {
    return JSON.parse((await this.machine.blobs.evidence.get(sha256)).toString());
  }
}

function lastMessage({ progress }: ConversationState): string {
  const message = progress.transcript.findLast(({ role }) => role === 'assistant')?.message ?? '';
  return message.slice(-LAST_MESSAGE_CHARACTERS_MAX);
}
