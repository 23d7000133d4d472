import { type ResponseOutput, routes } from '@agentclash/api';
import type { Session } from '../../session.js';
import { bytes } from '../../terminal/figures.js';

type Usage = ResponseOutput<typeof routes.storage.usage>;

export async function run(session: Session): Promise<undefined> {
  const usage = await (await session.client()).call(routes.storage.usage);
  session.out.result(usage, () => usageLines(usage));
}

export function usageLines(usage: Usage): string {
  const { runs, evidence_bytes, evidence_bytes_max, retention_days, retention_set_by } = usage;
  const limit = evidence_bytes_max === null ? 'no limit' : `of ${bytes(evidence_bytes_max)}`;
  const kept =
    retention_days === null
      ? 'for ever'
      : `${retention_days} ${retention_days === 1 ? 'day' : 'days'} after their end`;
  return [
    `evidence  ${bytes(evidence_bytes)} (${limit}), ${runs} ${runs === 1 ? 'run' : 'runs'}`,
    `runs are kept ${kept}, as the ${retention_set_by} has set it`,
  ].join('\n');
}
