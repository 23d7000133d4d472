import { Secret } from '../redaction/secret.js';
import { readCredentialReference } from './credential-reference.js';
import type { OpenedSecrets } from './opened-secrets.js';

export interface CredentialMeans {
  secrets: OpenedSecrets;
  signal: AbortSignal;
  /** Absent where the operator forbids `env://`. */
  readVariable?: (name: string) => string | undefined;
}

/**
 * Opens the credential that a provider account or an endpoint refers to; undefined when there is none. From then on it
 * is redacted from whatever the attempt leaves behind. Throws AttemptEnded when the vault fails.
 */
export async function openCredential(text: string, means: CredentialMeans): Promise<Secret | undefined> {
  const { secrets, signal, readVariable } = means;
  const read = readCredentialReference(text, { env: readVariable ? 'allow' : 'deny' });
  if ('fault' in read) return undefined;
  const { reference } = read;
  if (reference.kind === 'secret') return (await secrets.open([reference.key], signal)).get(reference.key);
  const value = readVariable?.(reference.name);
  if (value === undefined || value === '') return undefined;
  const secret = new Secret(reference.name, value);
  secrets.adopt(secret);
  return secret;
}
