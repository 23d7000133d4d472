import { Bus } from '@agentclash/bus';
import { canonicalJson, type Pricing } from '@agentclash/challengepack';
import { ContractError, originsOf, SecretBinding, type StoredEvidence, vault } from '@agentclash/contracts';
import type { Egress } from '@agentclash/egress';
import { Secret } from '@agentclash/redaction';
import { type JudgeModel, type JudgeModels, openJudgeModel, type Question } from '@agentclash/run-scoring';
import {
  BusSlots,
  countFailedTry,
  instrumentedModel,
  LOGGER,
  type Logger,
  type ReadVariable,
  SealedBoxKey,
} from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';

export const EGRESS = Symbol('egress');
export const READ_VARIABLE = Symbol('read variable');
const REFERENCE = /^(?<kind>workspace-secret|env):\/\/(?<name>[A-Za-z_][A-Za-z0-9_]{0,127})$/;
const OpenedValues = z.array(
  z.object({
    value_base64: z.string(),
    hosts: z.array(z.string()),
    binding: SecretBinding.optional(),
  }),
);

/** With credentials of the vault. */
@Injectable()
export class VaultJudgeModels implements JudgeModels {
  constructor(
    private readonly bus: Bus,
    private readonly slots: BusSlots,
    @Inject(EGRESS) private readonly egress: Egress,
    @Inject(READ_VARIABLE) private readonly readVariable: ReadVariable | undefined,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  open(question: Question, stored: StoredEvidence, pricing: Pricing): JudgeModel | undefined {
    const { run_id: runId, attempt_id, pack_models } = stored;
    return openJudgeModel(
      pack_models?.[question.model],
      { judge: question.judge, runId, pricing },
      {
        egress: this.egress,
        slots: this.slots,
        credential: (reference) => this.credential(reference, stored),
        instrumented: instrumentedModel,
        onFailure: (providerKey, { status, reason }) => {
          countFailedTry(providerKey, status);
          this.logger.info(
            { attempt_id, judge_key: question.judge.key, status, reason },
            'judge call failed',
          );
        },
      },
    );
  }

  /** A missing credential is empty: the provider rejects it like a wrong one. Fails while the vault is unavailable. */
  private async credential(reference: string, stored: StoredEvidence): Promise<Secret> {
    const { kind, name = '' } = REFERENCE.exec(reference)?.groups ?? {};
    if (kind === 'env') return new Secret(name, this.readVariable?.(name) ?? '');
    if (kind === undefined) return missing(name);
    try {
      return await this.secret(name, stored);
    } catch (error) {
      if (error instanceof ContractError && !error.isRetryable) return missing(name);
      throw error;
    }
  }

  /** Sealed for a new key pair each time, so that no plaintext crosses the bus. */
  private async secret(key: string, stored: StoredEvidence): Promise<Secret> {
    const { workspace_id, run_id, attempt_id, delivery } = stored;
    const box = await SealedBoxKey.create();
    const request = { workspace_id, run_id, attempt_id, delivery, keys: [key], recipient: box.publicKey };
    const sealed = await this.bus.call(vault.resolveForJudges, request);
    const opened = await box.open(sealed, canonicalJson(request));
    const [value] = OpenedValues.parse(JSON.parse(opened.toString()));
    if (value === undefined) return missing(key);
    return new Secret(key, Buffer.from(value.value_base64, 'base64').toString(), originsOf(value));
  }
}

function missing(key: string): Secret {
  return new Secret(key, '');
}
