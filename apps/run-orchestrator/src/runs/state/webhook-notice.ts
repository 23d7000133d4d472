import { type RunOfWebhook, WEBHOOK_RANKING_MAX, type WebhookBody } from '@agentclash/contracts';
import type { WebhookEvent } from '@agentclash/domain';

type DataOf<E extends WebhookEvent> = Omit<Extract<WebhookBody, { type: E }>['data'], 'workspace_id' | 'run'>;

/** An event for webhooks without the run, which is added when it is written. */
export type NoticeDraft = {
  [E in WebhookEvent]: { event: E; data: DataOf<E>; factId?: string };
}[WebhookEvent];

/** `factId` is the same for all messages that report the same. */
export type WebhookNotice = NoticeDraft & { factId: string };

/** The body of the deliveries of a notice. */
export function webhookBody(
  { event, data }: WebhookNotice,
  { now, workspaceId, run }: { now: Date; workspaceId: string; run: RunOfWebhook },
): WebhookBody {
  const all = { workspace_id: workspaceId, run, ...data };
  return { type: event, timestamp: now.toISOString(), data: all } as WebhookBody;
}

/** The first agents of a ranking, as bodies list them. Members that an older scoring service omits are null. */
export function rankingSummary(
  ranking: readonly Record<string, unknown>[],
): Pick<DataOf<'run.completed'>, 'ranking' | 'ranking_omitted'> {
  const listed = ranking.slice(0, WEBHOOK_RANKING_MAX);
  return {
    ranking: listed.map((entry) => ({
      rank: typeof entry.rank === 'number' ? entry.rank : null,
      agent: String(entry.name ?? ''),
      run_agent_id: String(entry.run_agent_id ?? ''),
      overall: typeof entry.overall === 'number' ? entry.overall : null,
      passed: typeof entry.passed === 'boolean' ? entry.passed : null,
    })),
    ranking_omitted: ranking.length - listed.length,
  };
}
