import {
  type AuditCertificate,
  type Client,
  type InputSet,
  type Pack,
  type PackVersion,
  type Run,
  routes,
} from '@agentclash/api';
import { CommandError } from '../command-error.js';
import { allPages, PAGE_SIZE } from './all-pages.js';
import { choicesOf, notFound } from './id-part.js';

type LifecycleStatus = PackVersion['lifecycle_status'];

export interface PackFilter {
  family?: string | undefined;
  lifecycle_status?: LifecycleStatus | undefined;
  q?: string | undefined;
}

export function listPacks(client: Client, filter: PackFilter = {}): Promise<Pack[]> {
  return allPages((cursor) =>
    client.call(routes.packs.list, { query: { ...filter, limit: PAGE_SIZE, cursor } }),
  );
}

/** A pack by slug or id. */
export async function getPack(client: Client, reference: string): Promise<Pack> {
  try {
    return await client.call(routes.packs.get, { params: { pack: reference } });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'not_found')) throw error;
    const slugs = (await listPacks(client)).map(({ slug }) => slug);
    throw await notFound('challenge pack', reference, slugs);
  }
}

/** The requested version, else the newest that is runnable. */
export function versionOf(pack: Pick<Pack, 'slug' | 'versions'>, number: number | undefined): PackVersion {
  const newestFirst = [...pack.versions].sort((left, right) => right.version_number - left.version_number);
  const found =
    number === undefined
      ? newestFirst.find((version) => version.lifecycle_status === 'runnable')
      : newestFirst.find((version) => version.version_number === number);
  if (found !== undefined) return found;
  const what = number === undefined ? 'no runnable version' : `no version ${number}`;
  throw new CommandError('not_found', `The pack ${pack.slug} has ${what}`, {
    choices: choicesOf(newestFirst.map((each) => `${each.version_number} (${each.lifecycle_status})`)),
  });
}

/** The certificate of the version that was run; null without one. */
export async function certificateOf(client: Client, run: Run): Promise<AuditCertificate | null> {
  const params = { version_id: run.challenge_pack_version_id };
  return (await client.call(routes.versions.get, { params })).audit ?? null;
}

export async function inputSetsOf(client: Client, versionId: string): Promise<InputSet[]> {
  return (await client.call(routes.versions.inputSets, { params: { version_id: versionId } })).items;
}
