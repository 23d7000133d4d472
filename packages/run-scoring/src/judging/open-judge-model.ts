import {
  canonicalProvider,
  findPriceRow,
  type Judge,
  type PriceRow,
  type Pricing,
} from '@agentclash/challengepack';
import { JUDGE_OUTPUT_TOKENS_MAX } from '@agentclash/grading';
import { type Model, type ModelAccount, openModel } from '@agentclash/models';
import { createRedactor, type Secret } from '@agentclash/redaction';
import { z } from 'zod';

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

type OpenOptions = Parameters<typeof openModel>[1];

export interface JudgeModel {
  model: Model;
  /** The price for budgets; undefined when the model has none. */
  price: PriceRow | undefined;
}

interface JudgeModelPorts extends Pick<OpenOptions, 'egress' | 'slots'> {
  /** A missing credential is empty: the provider rejects it like a wrong one. */
  credential: (reference: string) => Promise<Secret>;
  /** Measures the calls; default: they are not measured. */
  instrumented?: (model: Model) => Model;
  onFailure?: (providerKey: string, failure: Parameters<NonNullable<OpenOptions['onFailure']>>[0]) => void;
}

/** The model of a judge as the run pinned it; undefined when it did not: it was created under another evaluation spec. */
export function openJudgeModel(
  pinnedModel: unknown,
  { judge, runId, pricing }: { judge: Judge; runId: string; pricing: Pricing },
  ports: JudgeModelPorts,
): JudgeModel | undefined {
  const pinned = Connection.safeParse(pinnedModel);
  if (!pinned.success) return undefined;
  const connection = pinned.data;
  const { egress, slots, onFailure, instrumented = (model) => model } = ports;
  const modelRef = { provider: canonicalProvider(connection.provider_key), id: connection.model };
  const price =
    findPriceRow(pricing.models, modelRef) ?? findPriceRow(connection.pricing?.models ?? [], modelRef);
  const opened: Secret[] = [];
  const model = openModel(accountOf(connection, { ports, opened }), {
    ...{ model: connection.model, runId, egress, slots, pricing },
    sampling: { temperature: judge.temperature, max_output_tokens: JUDGE_OUTPUT_TOKENS_MAX },
    stepTimeoutMs: judge.timeout_ms,
    ...(onFailure && { onFailure: (failure) => onFailure(connection.provider_key, failure) }),
  });
  return { model: withRedactedReplies(instrumented(model), opened), price };
}

/** Adds the opened secrets to `opened`. */
function accountOf(
  connection: Connection,
  { ports, opened }: { ports: JudgeModelPorts; opened: Secret[] },
): ModelAccount {
  const { provider_account_id: id, provider_key: providerKey, base_url, credential_reference } = connection;
  return {
    id,
    providerKey,
    ...(base_url !== undefined && { baseUrl: base_url }),
    ...(connection.pricing && { pricing: connection.pricing }),
    ...(credential_reference !== undefined && {
      openCredential: async () => {
        const secret = await ports.credential(credential_reference);
        opened.push(secret);
        return secret;
      },
    }),
  };
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
