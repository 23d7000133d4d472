import { readCredentialReference } from '@agentclash/attempt-plan';
import { Secret } from '@agentclash/redaction';
import { AttemptEnded } from '../outcome/attempt-end.js';
import type { OpenedSecrets } from './opened-secrets.js';

export interface CredentialContext {
  secrets: OpenedSecrets;
  signal: AbortSignal;
  /** Absent where the operator forbids `env://`. */
  readVariable?: (name: string) => string | undefined;
}

/** A SecretResolver rejects with it when the secret is not set (any more). */
export class SecretNotSet extends Error {
  override readonly name = 'SecretNotSet';
}

/**
 * Opens the credential that a provider account or an endpoint refers to; undefined when there is none, also when it was
 * deleted since the run was created. From then on it is redacted from whatever the attempt leaves behind. Throws
 * AttemptEnded when the vault fails.
 */
export async function openCredential(text: string, context: CredentialContext): Promise<Secret | undefined> {
  const { secrets, readVariable } = context;
  const read = readCredentialReference(text, { env: readVariable ? 'allow' : 'deny' });
  if ('problem' in read) return undefined;
  const { reference } = read;
  if (reference.kind === 'secret') return await openSecret(reference.key, context);
  const value = readVariable?.(reference.name);
  if (value === undefined || value === '') return undefined;
  const secret = new Secret(reference.name, value);
  secrets.adopt(secret);
  return secret;
}

async function openSecret(key: string, { secrets, signal }: CredentialContext): Promise<Secret | undefined> {
  try {
    return (await secrets.open([key], signal)).get(key);
  } catch (error) {
    if (error instanceof AttemptEnded && error.cause instanceof SecretNotSet) return undefined;
    throw error;
  }
}
