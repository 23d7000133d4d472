import type { AttemptPlan, ModelConnection } from '@agentclash/attempt-plan';
import {
  type AttemptHistory,
  type AttemptPorts,
  type CredentialContext,
  openCredential,
} from '@agentclash/engine';
import { type Credential, type ModelAccount, openModel } from '@agentclash/models';
import { BusSlots, countFailedTry, instrumentedModel, LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../machine/machine.js';
import { withRedactedDeltas } from './redacted-deltas.js';

type ModelPorts = Pick<AttemptPorts, 'openModel' | 'readVariable'>;

/** Opens the models that attempts call: those of their agents and of simulated users. */
@Injectable()
export class AttemptModels {
  constructor(
    private readonly slots: BusSlots,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** For one delivery, whose history redacts every credential that is opened on the way. */
  portsOf({ run_id, attempt_id, limits }: AttemptPlan, { secrets }: AttemptHistory): ModelPorts {
    const { egress, readVariable } = this.machine;
    return {
      readVariable,
      openModel: (config) => {
        const account = accountOf(config, { secrets, readVariable });
        const model = openModel(account, {
          model: config.model,
          runId: run_id,
          egress,
          slots: this.slots,
          stepTimeoutMs: limits.step_timeout_seconds * 1_000,
          ...(config.sampling && { sampling: config.sampling }),
          onFailure: (failure) => {
            countFailedTry(account.providerKey, failure.status);
            this.logger.info(
              { attempt_id, account_id: account.id, failure: secrets.redact(failure) },
              'model call failed',
            );
          },
        });
        return withRedactedDeltas(instrumentedModel(model), () => secrets.redactor);
      },
    };
  }
}

type AccountContext = Omit<CredentialContext, 'signal'>;

/** Refused by every provider that needs a credential, as one that is not there. */
const MISSING: Credential = { reveal: () => '', origins: null };

/** The account of a pinned model. Its credential is opened again for each call. */
export function accountOf(connection: Omit<ModelConnection, 'model'>, context: AccountContext): ModelAccount {
  const { provider_account_id: id, provider_key: providerKey, credential_reference: reference } = connection;
  if (id === undefined) throw new Error(`the model of ${providerKey} was pinned without its account`);
  const { base_url: baseUrl, pricing } = connection;
  return {
    id,
    providerKey,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(pricing && { pricing }),
    ...(reference !== undefined && {
      openCredential: async (signal) => (await openCredential(reference, { ...context, signal })) ?? MISSING,
    }),
  };
}
