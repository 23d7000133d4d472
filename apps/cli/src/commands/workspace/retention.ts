import { routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session.js';
import { usageLines } from './usage.js';

/** Sets how long runs are kept after their end. */
export async function run(session: Session, { days }: { days: string }): Promise<undefined> {
  const body = settingsOf(days);
  const usage = await (await session.client()).call(routes.storage.configure, { body });
  session.out.result(usage, () => usageLines(usage));
}

function settingsOf(days: string): { retention_days: number | null | 'default' } {
  if (days === 'default') return { retention_days: 'default' };
  if (days === 'forever') return { retention_days: null };
  if (/^[1-9]\d{0,4}$/.test(days)) return { retention_days: Number(days) };
  throw new CommandError('usage', `"${days}" is no number of days`, {
    hint: 'Give 1 to 36500, "forever", or "default" for what the operator has set.',
  });
}
