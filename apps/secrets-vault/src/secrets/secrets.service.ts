import { canonicalJson } from '@agentclash/challengepack';
import {
  ContractError,
  type In,
  type Out,
  type ResolveRequest,
  type SecretMetadata,
  type vault,
} from '@agentclash/contracts';
import { sealFor } from '@agentclash/service-kit';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { decryptSecret, encryptSecret } from './envelope.js';
import { KeyRing } from './key-ring.js';
import { SecretsStore, type StoredSecret } from './secrets.store.js';

const VALUE_BYTES_MAX = 65_536;
/** Shorter values occur in ordinary text by chance and cannot be redacted. */
const REDACTABLE_BYTES_MIN = 4;

@Injectable()
export class SecretsService implements OnModuleInit {
  constructor(
    private readonly store: SecretsStore,
    private readonly ring: KeyRing,
  ) {}

  /** Refuses to start with a ring that cannot open what is stored. */
  async onModuleInit(): Promise<void> {
    const missing = (await this.store.masterKeyIds()).filter((id) => !this.ring.has(id));
    if (missing.length === 0) return;
    throw new Error(
      `The vault cannot start: stored secrets need the master keys ${missing.sort().join(', ')}, which VAULT_KEYS lacks.`,
    );
  }

  async list(workspaceId: string): Promise<SecretMetadata[]> {
    return await this.store.list(workspaceId);
  }

  async set(ask: In<typeof vault.set>): Promise<Out<typeof vault.set>> {
    const { workspace_id: workspaceId, key, hosts, actor } = ask;
    const value = Buffer.from(ask.value_base64, 'base64');
    if (value.length === 0 || value.length > VALUE_BYTES_MAX) {
      throw new ContractError('invalid_input', `A secret holds 1 to ${VALUE_BYTES_MAX} bytes.`, {
        errors: [{ code: 'out_of_range', field: 'value', message: `1 to ${VALUE_BYTES_MAX} bytes` }],
      });
    }
    const seal = (version: number) => encryptSecret(value, { workspaceId, key, version }, this.ring);
    return await this.store.write({ workspaceId, key, hosts, valueBytes: value.length, actor, seal });
  }

  async remove(workspaceId: string, key: string, actor: string): Promise<void> {
    if (await this.store.remove(workspaceId, key, actor)) return;
    throw new ContractError('not_found', `There is no secret ${key}.`);
  }

  /** Opens these secrets to the attempts of one run. */
  async grant(ask: In<typeof vault.grant>): Promise<void> {
    const found = await this.findAll(ask.workspace_id, ask.keys);
    const short = found
      .filter((secret) => secret.valueBytes < REDACTABLE_BYTES_MIN)
      .map((secret) => secret.key);
    if (short.length > 0) {
      throw new ContractError(
        'secret_too_short',
        `Secrets under ${REDACTABLE_BYTES_MIN} bytes: ${names(short)}.`,
        {
          keys: short.sort(),
        },
      );
    }
    await this.store.grant(ask.workspace_id, ask.run_id, ask.keys);
  }

  /** Seals the values to the caller's key. The run must have been granted each of them. */
  async seal(ask: ResolveRequest): Promise<Out<typeof vault.resolve>> {
    const granted = await this.store.grantedKeys(ask.workspace_id, ask.run_id);
    const refused = ask.keys.filter((key) => !granted.has(key));
    if (refused.length > 0) {
      throw new ContractError('secret_not_granted', `This run may not open ${names(refused)}.`, {
        keys: refused,
      });
    }
    const found = await this.findAll(ask.workspace_id, ask.keys);
    const values = found.map((secret) => ({
      key: secret.key,
      value_base64: this.open(ask.workspace_id, secret).toString('base64'),
      hosts: secret.hosts,
    }));
    await this.store.recordOpening({
      workspaceId: ask.workspace_id,
      attemptId: ask.attempt_id,
      keys: ask.keys,
      actor: `attempt ${ask.attempt_id} delivery ${ask.delivery}`,
    });
    return await sealFor(ask.recipient, Buffer.from(JSON.stringify(values)), canonicalJson(ask));
  }

  private open(workspaceId: string, secret: StoredSecret): Buffer {
    return decryptSecret(secret, { workspaceId, key: secret.key, version: secret.version }, this.ring);
  }

  /** In the order asked. Fails with `missing_secret`, naming all that are not set. */
  private async findAll(workspaceId: string, keys: string[]): Promise<StoredSecret[]> {
    const byKey = new Map((await this.store.find(workspaceId, keys)).map((secret) => [secret.key, secret]));
    const missing = keys.filter((key) => !byKey.has(key));
    if (missing.length > 0) {
      throw new ContractError(
        'missing_secret',
        `Not set: ${names(missing)}. Set them with \`agentclash secret set\`.`,
        {
          keys: missing.sort(),
        },
      );
    }
    return keys.flatMap((key) => byKey.get(key) ?? []);
  }
}

function names(keys: string[]): string {
  return [...keys].sort().join(', ');
}
