import type { Bus } from '@agentclash/bus';
import { executionEvents, type HistoryEvent } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';

type DeliveryName = { workspace_id: string; run_id: string; attempt_id: string; delivery: number };

/** Emits events of one delivery, numbered from `first`. */
export async function emit(
  bus: Bus,
  delivery: DeliveryName,
  events: { first?: number; types: string[] },
): Promise<void> {
  await emitEvents(bus, delivery, eventsOf(delivery, events));
}

export function eventsOf(
  delivery: Omit<DeliveryName, 'workspace_id'>,
  { first = 1, types }: { first?: number; types: string[] },
): HistoryEvent[] {
  return types.map(
    (event_type, index): HistoryEvent => ({
      event_id: newId(),
      schema_version: '1',
      run_id: delivery.run_id,
      attempt_id: delivery.attempt_id,
      delivery: delivery.delivery,
      sequence_number: first + index,
      event_type,
      source: 'scripted_agent',
      occurred_at: new Date().toISOString(),
      payload: payloadOf(event_type),
      summary: {},
    }),
  );
}

export async function emitEvents(
  bus: Bus,
  { workspace_id, run_id, attempt_id, delivery }: DeliveryName,
  events: HistoryEvent[],
): Promise<void> {
  const deliveries = [{ attempt_id, delivery, events }];
  await bus.publish(executionEvents.emitted, { workspace_id, run_id, deliveries }, newId());
}

function payloadOf(type: string): Record<string, unknown> {
  if (type.startsWith('system.step.')) return { step_index: 1 };
  if (type.startsWith('tool.call.')) return { tool_call_id: 't1', tool_name: 'exec', arguments: {} };
  if (type === 'system.output.finalized') return { final_output: 'w\u0000rd', finished_by: 'script' };
  return {};
}
