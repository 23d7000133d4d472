import { readCredentialReference } from '@agentclash/domain';
import { createRedactor, type Redactor, Secret } from '@agentclash/redaction';
import { AttemptEnded, unlessAborted } from '../outcome/attempt-end.js';

/** Opens secrets of the run for one call, each exactly when it is needed. */
export interface SecretResolver {
  /** In the order of `keys`. Rejects when the vault cannot be reached or refuses. */
  resolve(keys: readonly string[], signal: AbortSignal): Promise<Secret[]>;
}

/** The secrets that one attempt has opened so far: opened again for every call, redacted until the attempt ends. */
export class OpenedSecrets {
  private readonly opened = new Set<string>();
  /** Every value, also older ones of a key: a receiver may return one after the secret was set again. */
  private readonly known: Secret[] = [];
  private current = createRedactor([]);

  constructor(private readonly resolver: SecretResolver) {}

  /** Knows every value opened so far. */
  get redactor(): Redactor {
    return this.current;
  }

  /** Values by key, for one call only. A vault that fails ends the attempt. */
  async open(keys: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Secret>> {
    const requested = [...new Set(keys)].sort();
    const secrets = await unlessAborted(this.resolver.resolve(requested, signal), signal).catch(
      (cause: unknown) => {
        signal.throwIfAborted();
        const end = {
          because: 'infra',
          code: 'vault_unreachable',
          message: 'the vault could not open a secret',
        } as const;
        throw Object.assign(new AttemptEnded(end), { cause });
      },
    );
    for (const { key } of secrets) this.opened.add(key);
    this.hide(secrets);
    return new Map(secrets.map((secret) => [secret.key, secret]));
  }

  /** Redacts a value that did not come from the vault, too. */
  adopt(secret: Secret): void {
    this.hide([secret]);
  }

  /** Keys of everything that the vault has opened so far. */
  get keys(): string[] {
    return [...this.opened];
  }

  readonly redact = <T>(value: T): T => (this.known.length === 0 ? value : this.current.json(value));

  private hide(secrets: readonly Secret[]): void {
    const unknown = secrets.filter((secret) => !this.known.some((one) => isSame(one, secret)));
    if (unknown.length === 0) return;
    this.known.push(...unknown);
    this.current = createRedactor(this.known);
  }
}

function isSame(left: Secret, right: Secret): boolean {
  return left.key === right.key && left.reveal() === right.reveal();
}

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
