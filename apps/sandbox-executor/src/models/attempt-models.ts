import { ContractError } from '@agentclash/contracts';
import {
  AttemptEnded,
  type AttemptHistory,
  type AttemptPlan,
  type AttemptPorts,
  type ModelConnection,
  openCredential,
} from '@agentclash/engine';
import { type Credential, type ModelAccount, openModel } from '@agentclash/models';
import { BusSlots, LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../attempts/machine.js';
import { withSpokenDeltas } from './spoken-deltas.js';

type ModelPorts = Pick<AttemptPorts, 'openModel' | 'readVariable'>;

/** Refused by every provider that needs a credential, as one that is not there. */
const MISSING: Credential = { reveal: () => '', hosts: [] };

/** Opens the models that attempts call: those of their agents and of simulated users. */
@Injectable()
export class AttemptModels {
  constructor(
    private readonly slots: BusSlots,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** For one delivery. Credentials are opened at each call and redacted from its history until it ends. */
  portsOf({ run_id, attempt_id, limits }: AttemptPlan, { secrets }: AttemptHistory): ModelPorts {
    const { egress, readVariable } = this.machine;
    const open = async (reference: string, signal: AbortSignal): Promise<Credential> => {
      try {
        return (await openCredential(reference, { secrets, signal, readVariable })) ?? MISSING;
      } catch (error) {
        if (isGone(error)) return MISSING;
        throw error;
      }
    };
    return {
      readVariable,
      openModel: (config) => {
        const account = accountOf(config, open);
        const model = openModel(account, {
          model: config.model,
          runId: run_id,
          egress,
          slots: this.slots,
          stepTimeoutMs: limits.step_timeout_seconds * 1_000,
          ...(config.sampling && { sampling: config.sampling }),
          onFailure: (failure) =>
            this.logger.info(
              { attempt: attempt_id, account: account.id, failure: secrets.redact(failure) },
              'a call to a model failed',
            ),
        });
        return withSpokenDeltas(model, () => secrets.redactor);
      },
    };
  }
}

/** A pinned model's account, as calls need it. */
export function accountOf(
  connection: Omit<ModelConnection, 'model'>,
  open: (reference: string, signal: AbortSignal) => Promise<Credential>,
): ModelAccount {
  const { provider_account_id: id, provider_key: providerKey, credential_reference: reference } = connection;
  if (id === undefined) throw new Error(`the model of ${providerKey} was pinned without its account`);
  const { base_url: baseUrl, pricing } = connection;
  return {
    id,
    providerKey,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(pricing && { pricing }),
    ...(reference !== undefined && { openCredential: (signal) => open(reference, signal) }),
  };
}

/** Whether the secret was deleted since the run was created: no fault of ours. */
function isGone(error: unknown): boolean {
  const { cause } = error instanceof AttemptEnded ? error : {};
  return cause instanceof ContractError && cause.code === 'missing_secret';
}
