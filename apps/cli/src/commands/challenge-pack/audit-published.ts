import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type PackAuditDetails, routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { Interrupt } from '../../follow/interrupt.js';
import { getPack, versionOf } from '../../lookup/packs.js';
import type { Session } from '../../session/session.js';
import { showAuditProgress } from './audit-progress.js';

type AuditReport = import('@agentclash/pack-audit').AuditReport;
type AuditProgress = import('@agentclash/pack-audit').AuditProgress;

const POLL_MS = 1_000;

/** A version of a pack; without a number the newest that is runnable. */
interface VersionReference {
  slug: string;
  number: number | undefined;
}

/** Undefined for a file, which precedes a slug of the same name. */
export function publishedReference(text: string): VersionReference | undefined {
  const [, slug, number] = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:@(\d{1,9}))?$/.exec(text) ?? [];
  if (slug === undefined || existsSync(text)) return undefined;
  return { slug, number: number === undefined ? undefined : Number(number) };
}

/** Audits a published version on the server and follows it to its end. Ctrl-C leaves it running there. */
export async function auditOfVersion(
  session: Session,
  { slug, number }: VersionReference,
  { quick = false, seed }: { quick?: boolean; seed?: string },
): Promise<AuditReport> {
  const client = await session.client();
  const { id: version_id, version_number } = versionOf(await getPack(client, slug), number);
  const body = { quick, ...(seed !== undefined && { seed }) };
  const { id: audit_id } = await client.call(routes.audits.create, { params: { version_id }, body });
  const audit = await ended(session, client, { version_id, audit_id });
  // The report is as the audit wrote it, and this version knows its schema.
  if (audit.report !== null) return audit.report as AuditReport;
  const reason = audit.error?.message ?? 'It was cancelled.';
  throw new CommandError('try_again', `The audit of ${slug} version ${version_number} is ${audit.status}`, {
    hint: reason,
  });
}

async function ended(
  { out }: Session,
  client: Client,
  params: { version_id: string; audit_id: string },
): Promise<PackAuditDetails> {
  const interrupt = new Interrupt();
  const progress = showAuditProgress(out);
  try {
    for (;;) {
      const audit = await client.call(routes.audits.get, { params });
      if (audit.status !== 'queued' && audit.status !== 'running') return audit;
      if (audit.progress) progress.at(audit.progress as AuditProgress);
      await delay(POLL_MS, undefined, { signal: interrupt.signal });
    }
  } catch (error) {
    if (!interrupt.happened) throw error;
    throw new CommandError('try_again', 'The audit is no longer followed, and continues on the server', {
      hint: 'The same command follows it again.',
    });
  } finally {
    progress.end();
    interrupt.release();
  }
}
