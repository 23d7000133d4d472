import { addSweepCounts, type ResponseOutput, routes } from '@agentclash/api';
import { EXIT_CODES, type ExitCode, STORAGE_AREAS, type StorageArea } from '@agentclash/domain';
import { type Session } from '../../session/session.js';
import { printTable } from '../../terminal/print-table.js';

type Step = ResponseOutput<typeof routes.storage.sweep>;
type Swept = Omit<Step, 'next'> & { area: StorageArea };

/** Compares all stored bytes with what refers to them. Fails when references lead to no bytes. */
export async function sweepStorage(
  session: Session,
  { dryRun = false }: { dryRun?: boolean },
): Promise<ExitCode | undefined> {
  const { out } = session;
  const client = await session.operatorClient();
  const items: Swept[] = [];
  for (const area of STORAGE_AREAS) {
    let from: number | null = 0;
    let swept: Swept | undefined;
    while (from !== null) {
      const { next, ...counts }: Step = await client.call(routes.storage.sweep, {
        body: { area, dry_run: dryRun, from },
      });
      swept = { area, ...(swept === undefined ? counts : addSweepCounts(swept, counts)) };
      from = next;
    }
    if (swept !== undefined) items.push(swept);
  }
  printTable(out, items, {
    document: { dry_run: dryRun, items },
    columns: [
      { title: 'AREA', value: ({ area }) => area, style: out.paint.bold },
      ...(['scanned', 'referenced', 'young', 'removed', 'removed_bytes', 'missing'] as const).map((name) => ({
        title: (dryRun && name.startsWith('removed') ? name.replace('removed', 'removable') : name)
          .replace('_', ' ')
          .toUpperCase(),
        value: (each: Swept) => String(each[name]),
        align: 'right' as const,
      })),
    ],
  });
  const lost = items.flatMap(({ missing_sha256 }) => missing_sha256);
  if (lost.length === 0) return undefined;
  out.warn(`References lead to bytes that are not stored: ${lost.join(', ')}`);
  return EXIT_CODES.failed;
}
