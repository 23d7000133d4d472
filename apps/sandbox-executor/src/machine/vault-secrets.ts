import type { Bus } from '@agentclash/bus';
import { canonicalJson } from '@agentclash/challengepack';
import { ContractError, originsOf, type SecretBinding, vault } from '@agentclash/contracts';
import { SecretNotSet, type SecretResolver } from '@agentclash/engine';
import { Secret } from '@agentclash/redaction';
import { SealedBoxKey } from '@agentclash/service-kit';

interface OpenedValue {
  key: string;
  value_base64: string;
  hosts: string[];
  /** Absent from vaults that knew hosts alone. */
  binding?: SecretBinding;
}

interface SecretsRequester {
  workspace_id: string;
  run_id: string;
  attempt_id: string;
  delivery: number;
}

/** Opens secrets through the vault, each time under a fresh key pair, so that no plaintext crosses the bus. */
export function vaultSecrets(requester: SecretsRequester, bus: Bus): SecretResolver {
  return {
    async resolve(keys) {
      const box = await SealedBoxKey.create();
      const { workspace_id, run_id, attempt_id, delivery } = requester;
      const request = {
        workspace_id,
        run_id,
        attempt_id,
        delivery,
        keys: [...keys],
        recipient: box.publicKey,
      };
      const sealed = await bus.call(vault.resolve, request).catch(notSetOrFailed);
      const values = JSON.parse((await box.open(sealed, canonicalJson(request))).toString()) as OpenedValue[];
      return values.map(
        ({ key, value_base64, ...bound }) =>
          new Secret(key, Buffer.from(value_base64, 'base64').toString(), originsOf(bound)),
      );
    },
  };
}

function notSetOrFailed(cause: unknown): never {
  const isNotSet = cause instanceof ContractError && cause.code === 'missing_secret';
  throw isNotSet ? new SecretNotSet('a secret of the run was deleted', { cause }) : cause;
}
