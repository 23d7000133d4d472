import {
  ContractError,
  type In,
  type Out,
  type SecretBinding,
  type SecretMetadata,
  type vault,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { decryptSecret, encryptSecret } from '../keys/envelope.js';
import { Keys } from '../keys/keys.service.js';
import { SecretsStore, type StoredSecret } from './secrets.store.js';

const VALUE_BYTES_MAX = 65_536;

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
    const write = () => {
      const seal = (version: number) => encryptSecret(value, { workspaceId, key, version }, this.keys.ring);
      return this.store.write({ workspaceId, key, hosts, binding, valueBytes: value.length, actor, seal });
    };
    return await this.withNewerKeys(write);
  }

  /** Of the named secrets those without a binding for which `any` was never chosen. */
  async unbound(workspaceId: string, keys: readonly string[]): Promise<Out<typeof vault.unbound>> {
    return { keys: unboundOf(await this.store.find(workspaceId, keys)) };
  }

  async remove(workspaceId: string, key: string, actor: string): Promise<void> {
    if (await this.store.remove(workspaceId, key, actor)) return;
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
      const { ring } = this.keys;
      const locked = found.find(({ masterKeyId }) => !ring.has(masterKeyId));
      if (locked !== undefined) {
        throw new ContractError('unavailable', `The vault lacks the master key ${locked.masterKeyId}.`);
      }
      return found.map((secret) => ({
        key: secret.key,
        version: secret.version,
        hosts: secret.hosts,
        binding: secret.binding,
        value: decryptSecret(secret, { workspaceId, key: secret.key, version: secret.version }, ring),
      }));
    });
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
