import type { Bus } from '@agentclash/bus';
import {
  type AttemptResult,
  ContractError,
  type execution,
  type In,
  leases,
  type Out,
} from '@agentclash/contracts';
import type { AttemptPlan } from '@agentclash/engine';
import { emit } from './neighbours.js';

export type Claimed = Extract<Out<typeof leases.claim>, { claimed: true }>;

/** What a whole small attempt emits. */
export const WHOLE_HISTORY = ['system.run.started', 'system.output.finalized', 'system.run.completed'];

export function resultOf(changes: Partial<AttemptResult> = {}): AttemptResult {
  return {
    outcome: 'completed',
    limit_kind: null,
    finished_by: 'script',
    error: null,
    retry_after_ms: null,
    last_sequence: WHOLE_HISTORY.length,
    final_output_bytes: 4,
    tool_call_count: 0,
    usage: null,
    cost_usd: null,
    latency_ms: 5,
    snapshot: null,
    ...changes,
  };
}

export const retryable = resultOf({
  outcome: 'infra_error',
  finished_by: 'none',
  error: { code: 'sandbox_gone', message: 'gone', retryable: true },
});

/** Claims, runs and finishes an attempt as an executor does; an orchestrator that is away is waited for. */
export async function workOff(
  { attempt_id }: Pick<In<typeof execution.execute>, 'attempt_id'>,
  bus: Bus,
  result = resultOf(),
): Promise<void> {
  const executor_id = 'executor-1';
  const claimed = await patiently(() => bus.call(leases.claim, { attempt_id, executor_id }));
  if (!claimed.claimed) return;
  const lease = { attempt_id, delivery: claimed.delivery, executor_id };
  await patiently(() => bus.call(leases.renew, { ...lease, state: 'running' }));
  await emit(bus, identityOf(claimed), { types: WHOLE_HISTORY });
  await patiently(() => bus.call(leases.finish, { ...lease, result }));
}

async function patiently<T>(call: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const isAway = error instanceof ContractError && error.code === 'unavailable';
      if (!isAway || Date.now() > deadline) throw error;
    }
  }
}

export function identityOf({ plan, delivery }: Claimed) {
  const { workspace_id, run_id, attempt_id } = plan as Partial<AttemptPlan> as AttemptPlan;
  return { workspace_id, run_id, attempt_id, delivery };
}

export async function claim(
  bus: Bus,
  attempt_id: string,
  executor_id: string,
): Promise<Out<typeof leases.claim>> {
  return await bus.call(leases.claim, { attempt_id, executor_id });
}
