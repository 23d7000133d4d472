import type { KeyRingStatus } from './rotate-keys.js';

const AGAIN = 'agentclash admin rotate-keys';

const WHERE = {
  environment: 'VAULT_KEYS of every vault, and roll them out',
  file: 'the key file of every vault',
};

/** What an operator who hands in the keys has to do next; nothing where the vault keeps them itself. */
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
