import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type ResponseOutput, routes } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import type { Session } from '../../session/session.js';
import { printTable } from '../../terminal/print-table.js';

interface Input {
  status?: boolean;
  retire?: string;
}

export type KeyRingStatus = ResponseOutput<typeof routes.vaultKeys.status>;

const PAUSE_MS = 300;

/**
 * Rotates the vault's master keys. Where the vault keeps its own key file it does all by itself, and this command only
 * watches: it may be interrupted and repeated at any time. Elsewhere it prints what the operator has to do next.
 */
export async function rotateKeys(session: Session, { status, retire }: Input): Promise<ExitCode | undefined> {
  const { out } = session;
  const client = await session.operatorClient();
  const keys = await requestKeyRing(client, { status, retire });
  const isWatched = !status && retire === undefined && keys.source === 'managed_file';
  const last = isWatched ? await watched(session, client, keys) : keys;
  printKeys(session, last);
  if (last.problem !== null) out.warn(`The vault does not use its present keys: ${last.problem}.`);
  for (const step of nextSteps(last)) out.note(step);
  return last.problem === null ? undefined : EXIT_CODES.failed;
}

async function requestKeyRing(client: Client, { status, retire }: Input): Promise<KeyRingStatus> {
  if (retire !== undefined) return await client.call(routes.vaultKeys.retire, { params: { key: retire } });
  return await client.call(status ? routes.vaultKeys.status : routes.vaultKeys.rotate);
}

async function watched({ out }: Session, client: Client, first: KeyRingStatus): Promise<KeyRingStatus> {
  let keys = first;
  let lastProgress: string | undefined;
  while (keys.is_rotating && keys.problem === null) {
    const progress = progressOf(keys);
    if (progress !== lastProgress) out.note(out.paint.dim(progress));
    lastProgress = progress;
    await sleep(PAUSE_MS);
    keys = await client.call(routes.vaultKeys.status);
  }
  return keys;
}

function progressOf({ keys, active_key_id: active }: KeyRingStatus): string {
  const total = keys.reduce((sum, { secrets }) => sum + secrets, 0);
  const done = keys.find(({ id }) => id === active)?.secrets ?? 0;
  return `${done} of ${total} secrets are wrapped by ${active}`;
}

function printKeys({ out }: Session, status: KeyRingStatus): void {
  printTable(out, status.keys, {
    document: status,
    columns: [
      { title: 'KEY', value: ({ id }) => id, style: out.paint.bold },
      {
        title: 'STATE',
        value: ({ state }) => state,
        style: (text, { state }) => (state === 'missing' ? out.paint.red(text) : text),
      },
      { title: 'SECRETS', value: ({ secrets }) => String(secrets), align: 'right' },
    ],
  });
}

const AGAIN = 'agentclash admin rotate-keys';

const WHERE = {
  environment: 'VAULT_KEYS of every vault, and roll them out',
  file: 'the key file of every vault',
};

/** The next steps of an operator who hands in the keys; nothing where the vault keeps them itself. */
export function nextSteps({ source, keys, active_key_id: active, is_rotating }: KeyRingStatus): string[] {
  if (source === 'managed_file') return [];
  const where = WHERE[source];
  if (is_rotating)
    return [`Secrets are being wrapped by ${active}. ${AGAIN} --status shows how far that is.`];
  const retired = keys.filter(({ state }) => state === 'retired').map(({ id }) => id);
  if (retired.length > 0) return [`Take ${retired.join(', ')} out of ${where}. The rotation is done then.`];
  const serving = keys.filter(({ state }) => state === 'serving').map(({ id }) => id);
  if (serving.length === 0) {
    return [
      'The keys are handed in from outside. To rotate them:',
      `  1. Make a key: openssl rand -base64 32. Add it under a new id to ${where}; leave ${active} active.`,
      '  2. When every vault has it, make the new id the active one in the same place.',
      `  3. ${AGAIN}`,
    ];
  }
  return serving.flatMap((id) => [
    `Nothing needs ${id}. If it is the old key: ${AGAIN} --retire ${id}`,
    `If it is the new one: make it the active key in ${where}, then ${AGAIN}`,
  ]);
}
