import { Bus } from '@agentclash/bus';
import {
  canonicalJson,
  canonicalProvider,
  findPriceRow,
  type PriceRow,
  type Pricing,
} from '@agentclash/challengepack';
import { ContractError, originsOf, SecretBinding, type StoredEvidence, vault } from '@agentclash/contracts';
import type { Egress } from '@agentclash/egress';
import { JUDGE_OUTPUT_TOKENS_MAX } from '@agentclash/grading';
import { type Model, type ModelAccount, openModel } from '@agentclash/models';
import { createRedactor, Secret } from '@agentclash/redaction';
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
import type { Question } from './questions.js';

export const EGRESS = Symbol('egress');
export const READ_VARIABLE = Symbol('read variable');
/** A model as a run pins it. */
const Connection = z.object({
  provider_account_id: z.string(),
  provider_key: z.string(),
  model: z.string(),
  credential_reference: z.string().optional(),
  base_url: z.string().optional(),
  pricing: z.custom<Pricing>().optional(),
});
type Connection = z.infer<typeof Connection>;

interface JudgeModel {
  model: Model;
  /** The price for budgets; undefined when the model has none. */
  price: PriceRow | undefined;
}

const REFERENCE = /^(?<kind>workspace-secret|env):\/\/(?<name>[A-Za-z_][A-Za-z0-9_]{0,127})$/;
const OpenedValues = z.array(
  z.object({
    value_base64: z.string(),
    hosts: z.array(z.string()),
    binding: SecretBinding.optional(),
  }),
);

/** Opens the models of judges as the run pinned them. */
@Injectable()
export class JudgeModels {
  constructor(
    private readonly bus: Bus,
    private readonly slots: BusSlots,
    @Inject(EGRESS) private readonly egress: Egress,
    @Inject(READ_VARIABLE) private readonly readVariable: ReadVariable | undefined,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Undefined when the run did not pin the model: it was created under another evaluation spec. */
  open({ model: name, judge }: Question, stored: StoredEvidence, pricing: Pricing): JudgeModel | undefined {
    const pinned = Connection.safeParse(stored.pack_models?.[name]);
    if (!pinned.success) return undefined;
    const connection = pinned.data;
    const modelRef = { provider: canonicalProvider(connection.provider_key), id: connection.model };
    const price =
      findPriceRow(pricing.models, modelRef) ?? findPriceRow(connection.pricing?.models ?? [], modelRef);
    const opened: Secret[] = [];
    const model = openModel(this.account(connection, stored, opened), {
      model: connection.model,
      runId: stored.run_id,
      egress: this.egress,
      slots: this.slots,
      sampling: { temperature: judge.temperature, max_output_tokens: JUDGE_OUTPUT_TOKENS_MAX },
      stepTimeoutMs: judge.timeout_ms,
      pricing,
      onFailure: ({ status, reason }) => {
        countFailedTry(connection.provider_key, status);
        this.logger.info(
          { attempt_id: stored.attempt_id, judge_key: judge.key, status, reason },
          'judge call failed',
        );
      },
    });
    return { model: withRedactedReplies(instrumentedModel(model), opened), price };
  }

  /** Adds the opened secrets to `opened`. */
  private account(connection: Connection, stored: StoredEvidence, opened: Secret[]): ModelAccount {
    const { provider_account_id: id, provider_key: providerKey, base_url, credential_reference } = connection;
    return {
      id,
      providerKey,
      ...(base_url !== undefined && { baseUrl: base_url }),
      ...(connection.pricing && { pricing: connection.pricing }),
      ...(credential_reference !== undefined && {
        openCredential: async () => {
          const secret = await this.credential(credential_reference, stored);
          opened.push(secret);
          return secret;
        },
      }),
    };
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

/** The model with these secrets redacted from its replies: a reply is stored and shown to every reader of the score. */
function withRedactedReplies(model: Model, opened: readonly Secret[]): Model {
  const { providerKey, name, maxOutputTokens } = model;
  return {
    ...{ providerKey, name, maxOutputTokens },
    priceOf: (usage) => model.priceOf(usage),
    maxPriceOf: (tokens) => model.maxPriceOf(tokens),
    async call(request) {
      const reply = await model.call(request);
      return { ...reply, text: createRedactor(opened).text(reply.text) };
    },
  };
}
