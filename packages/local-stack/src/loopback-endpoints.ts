import { readFile } from 'node:fs/promises';
import type { Layout } from './layout.js';
import { writeOwnFile } from './own-file.js';

/** The networks that endpoints and provider accounts of members reach where loopback is allowed. */
export const LOOPBACK_NETWORKS = '127.0.0.0/8,::1/128';

/** The choice for the stack on this data; undefined where there is none. */
export async function readLoopbackChoice({
  settings,
}: Pick<Layout, 'settings'>): Promise<boolean | undefined> {
  const text = await readFile(settings, 'utf8').catch(() => '{}');
  try {
    const { allow_loopback_endpoints: chosen } = JSON.parse(text) as { allow_loopback_endpoints?: unknown };
    return typeof chosen === 'boolean' ? chosen : undefined;
  } catch {
    return undefined;
  }
}

/** The choice of this start, which the next ones keep, else the last one; without any, loopback is not allowed. */
export async function settleLoopbackChoice(
  layout: Pick<Layout, 'settings'>,
  chosen: boolean | undefined,
): Promise<boolean> {
  if (chosen === undefined) return (await readLoopbackChoice(layout)) ?? false;
  await writeOwnFile(layout.settings, { allow_loopback_endpoints: chosen });
  return chosen;
}
