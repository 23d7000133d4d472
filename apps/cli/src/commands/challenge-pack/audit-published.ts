import { existsSync } from 'node:fs';
import {
  ApiError,
  auditInWords,
  type Client,
  type PackAudit,
  type PackAuditDetails,
  routes,
} from '@agentclash/api';
import { EXIT_CODES, type ExitCode, isAuditActive } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { getPack, versionOf } from '../../lookup/packs.js';
import type { Session } from '../../session/session.js';
import { moment } from '../../terminal/figures.js';
import { oneLine } from '../../terminal/printable.js';
import { followAudit } from './follow-audit.js';

type AuditReport = import('@agentclash/pack-audit').AuditReport;

/** A version of a pack; without a number the newest that is runnable. */
interface VersionReference {
  slug: string;
  number: number | undefined;
}

interface Input {
  quick?: boolean;
  seed?: string;
  junit?: string;
  wait?: boolean;
  last?: boolean;
  cancel?: boolean;
}

/** Undefined for a file, which precedes a slug of the same name. */
export function publishedReference(text: string): VersionReference | undefined {
  const [, slug, number] = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:@(\d{1,9}))?$/.exec(text) ?? [];
  if (slug === undefined || existsSync(text)) return undefined;
  return { slug, number: number === undefined ? undefined : Number(number) };
}

/** Audits a published version on the server and follows it to its end; the exit code where there is no report to show. */
export async function auditOfVersion(
  session: Session,
  { slug, number }: VersionReference,
  input: Input,
): Promise<AuditReport | ExitCode> {
  checkOptions(input);
  const client = await session.client();
  const { id, version_number, audit } = versionOf(await getPack(client, slug), number);
  const version: AuditedVersion = { client, id, name: `${slug}@${version_number}` };
  if (input.cancel) return await cancelActive(session, version);
  if (input.last) return await lastReport(version, audit?.audit_id);
  const known = await newestOf(version);
  const begun = await create(version, input);
  if (input.wait === false) {
    session.out.result(begun, () => `${version.name}: ${stateInWords(begun)}`);
    session.out.note(session.out.paint.dim(`Follow it: ${commandFor(version, begun)}`));
    return EXIT_CODES.ok;
  }
  if (known?.id === begun.id) {
    session.out.note(
      `The audit of ${version.name} by ${oneLine(begun.created_by)} is followed: ${stateInWords(begun)}`,
    );
  }
  const ended = await followAudit(session, begun, {
    read: () => client.call(routes.audits.get, { params: paramsOf(version, begun) }),
    cancel: () => client.call(routes.audits.cancel, { params: paramsOf(version, begun) }),
    commands: commandsFor(version, begun),
  });
  return typeof ended === 'number' ? ended : reportOf(version, ended);
}

interface AuditedVersion {
  client: Client;
  id: string;
  /** `sums@2` */
  name: string;
}

const ALONE = ['cancel', 'last'] as const;

function checkOptions({ quick, seed, junit, wait, ...input }: Input): void {
  if (seed !== undefined) {
    throw new CommandError('usage', '--seed is for files: the digest of a published version is its seed', {
      hint: 'Leave out --seed, or audit the file of the pack with it.',
    });
  }
  const option = ALONE.find((each) => input[each]);
  if (option === undefined) {
    if (wait !== false || junit === undefined) return;
    throw new CommandError(
      'usage',
      '--junit needs the end of the audit, and --no-wait does not wait for it',
      {
        hint: 'Leave out --no-wait, or write the file later: --last --junit FILE.',
      },
    );
  }
  const starts = quick || wait === false;
  if (!starts && !(input.cancel && (input.last || junit !== undefined))) return;
  throw new CommandError('usage', `--${option} starts no audit: leave out the options of one`);
}

/** At most one audit of a version is active, and it is the newest. */
async function newestOf({ client, id }: AuditedVersion): Promise<PackAudit | undefined> {
  const request = { params: { version_id: id }, query: { limit: 1 } };
  return (await client.call(routes.audits.list, request)).items[0];
}

async function create(version: AuditedVersion, { quick = false }: Input): Promise<PackAudit> {
  const { client, id, name } = version;
  const body = { quick };
  try {
    return await client.call(routes.audits.create, { params: { version_id: id }, body });
  } catch (error) {
    const other = error instanceof ApiError && typeof error.facts.audit_id === 'string';
    const active = other ? await newestOf(version) : undefined;
    if (active === undefined || !isAuditActive(active.status)) throw error;
    const options = active.quick ? 'a quick one' : 'a full one';
    const { follow, cancel } = commandsFor(version, active);
    const detail = `Another audit of ${name} is under way, ${options}: ${stateInWords(active)}\nFollow it: ${follow}\nCancel it: ${cancel}`;
    throw new ApiError({ code: 'conflict', detail, audit_id: active.id }, null, { cause: error });
  }
}

async function cancelActive({ out }: Session, version: AuditedVersion): Promise<ExitCode> {
  const newest = await newestOf(version);
  if (newest === undefined || !isAuditActive(newest.status)) {
    const hint =
      newest === undefined ? 'It was never audited.' : `The newest one is ${stateInWords(newest)}.`;
    throw new CommandError('not_found', `No audit of ${version.name} is under way`, { hint });
  }
  const cancelled = await version.client.call(routes.audits.cancel, { params: paramsOf(version, newest) });
  out.result(cancelled, () => `the audit of ${version.name} is cancelled`);
  return EXIT_CODES.ok;
}

async function lastReport(version: AuditedVersion, audit_id: string | undefined): Promise<AuditReport> {
  if (audit_id === undefined) {
    const hint = `Start one: agentclash challenge-pack audit ${version.name}`;
    throw new CommandError('not_found', `No audit of ${version.name} has completed`, { hint });
  }
  const params = { version_id: version.id, audit_id };
  return reportOf(version, await version.client.call(routes.audits.get, { params }));
}

/** The report is as the audit wrote it, and this version knows its schema. */
function reportOf({ name }: AuditedVersion, { report, status, error }: PackAuditDetails): AuditReport {
  if (report !== null) return report as AuditReport;
  const end = status === 'cancelled' ? 'was cancelled' : 'did not complete';
  const hint = error?.message ?? 'The same command starts another one.';
  throw new CommandError('try_again', `The audit of ${name} ${end}`, { hint });
}

function paramsOf({ id }: AuditedVersion, audit: PackAudit): { version_id: string; audit_id: string } {
  return { version_id: id, audit_id: audit.id };
}

/** `running since 2026-03-01 12:00`, `queued since …`, `completed: audit passed …` */
function stateInWords({ status, created_at, started_at, certificate }: PackAudit): string {
  if (isAuditActive(status)) return `${status} since ${moment(started_at ?? created_at)}`;
  return certificate === null ? status : `${status} (${auditInWords(certificate)})`;
}

/** The command that follows an audit, and starts another with the same options where it has ended. */
function commandFor({ name }: AuditedVersion, { quick }: PackAudit): string {
  return ['agentclash challenge-pack audit', name, ...(quick ? ['--quick'] : [])].join(' ');
}

function commandsFor(version: AuditedVersion, audit: PackAudit) {
  const bare = `agentclash challenge-pack audit ${version.name}`;
  return { follow: commandFor(version, audit), last: `${bare} --last`, cancel: `${bare} --cancel` };
}
