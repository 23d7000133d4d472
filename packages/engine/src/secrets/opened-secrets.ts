import { createRedactor, type Redactor, type Secret } from '@agentclash/redaction';
import { unlessAborted } from '../outcome/abort.js';
import { AttemptEnded } from '../outcome/attempt-end.js';

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
