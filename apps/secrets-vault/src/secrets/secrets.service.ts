import { createHmac } from 'node:crypto';
import {
  ContractError,
  type In,
  type Out,
  type SecretBinding,
  SecretKey,
  type SecretMetadata,
  type vault,
  type webhookKeys,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { decryptSecret, encryptSecret } from '../keys/envelope.js';
import { Keys } from '../keys/keys.service.js';
import { type NewVersion, SecretsStore, type StoredSecret, signingKeyOf } from './secrets.store.js';

const VALUE_BYTES_MAX = 65_536;
/** Of secrets that sign, as Standard Webhooks has them. */
const SIGNING_BYTES = { min: 24, max: 64 };

/** A secret and its value, for as long as one request takes. */
interface RevealedSecret {
  key: string;
  version: number;
  hosts: string[];
  binding: SecretBinding;
  value: Buffer;
}

@Injectable()
export class SecretsService {
  constructor(
    private readonly store: SecretsStore,
    private readonly keys: Keys,
  ) {}

  async list(workspaceId: string): Promise<SecretMetadata[]> {
    return await this.store.list(workspaceId);
  }

  async set(request: In<typeof vault.set>): Promise<Out<typeof vault.set>> {
    const { workspace_id: workspaceId, key, hosts, actor } = request;
    const binding = newBinding(request);
    const value = Buffer.from(request.value_base64, 'base64');
    if (value.length === 0 || value.length > VALUE_BYTES_MAX) {
      throw new ContractError('invalid_input', `A secret holds 1 byte to ${VALUE_BYTES_MAX / 1024} KiB.`, {
        errors: [
          {
            code: 'out_of_range',
            field: 'value',
            message: `must have 1 byte to ${VALUE_BYTES_MAX / 1024} KiB`,
          },
        ],
      });
    }
    return await this.write({ workspaceId, key, hosts, binding, actor }, value);
  }

  /** Stores the secret that signs deliveries of a webhook, in place of an earlier one. */
  async setSigning(request: In<typeof webhookKeys.set>): Promise<void> {
    const { workspace_id: workspaceId, webhook_id, value_base64, actor } = request;
    const value = Buffer.from(value_base64, 'base64');
    const { min, max } = SIGNING_BYTES;
    if (value.length < min || value.length > max) {
      throw new ContractError('invalid_input', `A signing secret has ${min} to ${max} bytes.`);
    }
    const key = signingKeyOf(webhook_id);
    await this.write({ workspaceId, key, hosts: [], binding: 'origin', actor }, value);
  }

  /** The HMAC-SHA256 of a text under the secret of a webhook. Fails with `missing_secret`. */
  async sign({ workspace_id, webhook_id, content }: In<typeof webhookKeys.sign>): Promise<Buffer> {
    return await this.withNewerKeys(async () => {
      const secret = await this.store.findSigning(workspace_id, webhook_id);
      if (secret === undefined) {
        throw new ContractError('missing_secret', `The webhook ${webhook_id} has no signing secret.`);
      }
      return createHmac('sha256', this.decrypt(workspace_id, secret)).update(content).digest();
    });
  }

  async removeSigning({ workspace_id, webhook_id, actor }: In<typeof webhookKeys.remove>): Promise<void> {
    await this.store.remove(workspace_id, signingKeyOf(webhook_id), actor);
  }

  /** Of the named secrets those without a binding for which `any` was never chosen. */
  async unbound(workspaceId: string, keys: readonly string[]): Promise<Out<typeof vault.unbound>> {
    return { keys: unboundOf(await this.store.find(workspaceId, keys)) };
  }

  async remove(workspaceId: string, key: string, actor: string): Promise<void> {
    if (SecretKey.safeParse(key).success && (await this.store.remove(workspaceId, key, actor))) return;
    throw new ContractError('not_found', `There is no secret ${key}.`);
  }

  /** In the order of the request. Fails with `missing_secret`, naming all that are not set. */
  async findAll(workspaceId: string, keys: readonly string[]): Promise<StoredSecret[]> {
    const byKey = new Map((await this.store.find(workspaceId, keys)).map((secret) => [secret.key, secret]));
    const missing = keys.filter((key) => !byKey.has(key));
    if (missing.length > 0) {
      const how = 'Set them with `agentclash secret set`.';
      throw new ContractError('missing_secret', `Not set: ${sortedNames(missing)}. ${how}`, {
        keys: missing.sort(),
      });
    }
    return keys.flatMap((key) => byKey.get(key) ?? []);
  }

  /** The values, in the order of the request. Fails with `missing_secret`, and `unavailable` without the master key. */
  async reveal(workspaceId: string, keys: readonly string[]): Promise<RevealedSecret[]> {
    return await this.withNewerKeys(async () => {
      const found = await this.findAll(workspaceId, keys);
      return found.map((secret) => ({
        key: secret.key,
        version: secret.version,
        hosts: secret.hosts,
        binding: secret.binding,
        value: this.decrypt(workspaceId, secret),
      }));
    });
  }

  private async write(
    secret: Omit<NewVersion, 'valueBytes' | 'seal'>,
    value: Buffer,
  ): Promise<Out<typeof vault.set>> {
    const { workspaceId, key } = secret;
    const seal = (version: number) => encryptSecret(value, { workspaceId, key, version }, this.keys.ring);
    return await this.withNewerKeys(() => this.store.write({ ...secret, valueBytes: value.length, seal }));
  }

  /** Fails with `unavailable` without the master key. */
  private decrypt(workspaceId: string, secret: StoredSecret): Buffer {
    const { ring } = this.keys;
    const { key, version, masterKeyId } = secret;
    if (!ring.has(masterKeyId)) {
      throw new ContractError('unavailable', `The vault lacks the master key ${masterKeyId}.`);
    }
    return decryptSecret(secret, { workspaceId, key, version }, ring);
  }

  /** Another instance may have taken over new keys a moment before: reads them and tries once more. */
  private async withNewerKeys<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ContractError) || error.code !== 'unavailable') throw error;
      await this.keys.reload();
      return await work();
    }
  }
}

/** Sorted. */
export function unboundOf(secrets: readonly StoredSecret[]): string[] {
  return secrets.flatMap(({ key, binding }) => (binding === 'unbound' ? [key] : [])).sort();
}

function newBinding({ hosts, any = false }: In<typeof vault.set>): SecretBinding {
  const isBound = hosts.length > 0;
  if (isBound !== any) return isBound ? 'origin' : 'any';
  const [code, message] = isBound
    ? ['contradiction', 'cannot be given together with "any": choose one']
    : ['required', 'or "any": true is required: it sets where the value may be sent'];
  throw new ContractError('invalid_input', `A secret's "hosts" ${message}.`, {
    errors: [{ code, field: 'hosts', message }],
  });
}

/** Keys as they are reported: sorted. */
export function sortedNames(keys: readonly string[]): string {
  return [...keys].sort().join(', ');
}
