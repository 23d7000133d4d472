import { PROVIDER_KEYS, PROVIDER_SPELLINGS } from '@agentclash/domain';
import { z } from 'zod';
import { rpc } from './message.js';
import { ModelCallReport } from './model-calls.js';
import { Applied, CredentialReference, inWorkspace, ResourceName } from './resources.js';
import { Actor, PageQuery, PlainText, page, Timestamp, Uuid } from './values.js';

const Rate = z.number().min(0).max(1_000_000);

const RATES = {
  input_cost_per_million_tokens: Rate,
  output_cost_per_million_tokens: Rate,
  cached_input_cost_per_million_tokens: Rate.optional(),
  cache_write_cost_per_million_tokens: Rate.optional(),
  reasoning_cost_per_million_tokens: Rate.optional(),
};

/** US dollars per million tokens; an absent rate is the input or output rate. */
export const PriceRow = z.strictObject({
  provider_key: PlainText.trim().min(1).max(64),
  provider_model_id: PlainText.trim().min(1).max(256),
  ...RATES,
  /** The rates of a whole call whose input, cached or not, has more tokens than this. */
  long_prompt: z
    .strictObject({ above_input_tokens: z.number().int().min(1).max(1_000_000_000), ...RATES })
    .optional(),
});

/** Calls at once to one account when it sets no limit of its own. */
export const MAX_CONCURRENCY_DEFAULT = 100;

/**
 * How a provider is reached. `base_url` is required for `openai_compatible`, which may do without a credential: https
 * (http only where the operator unlocked the address), without userinfo, query and fragment.
 */
export const ProviderAccountSpec = z.strictObject({
  name: ResourceName,
  provider_key: z.enum([...PROVIDER_KEYS, ...PROVIDER_SPELLINGS]),
  credential_reference: CredentialReference.optional(),
  base_url: PlainText.min(1).max(2_048).optional(),
  limits: z.strictObject({ max_concurrency: z.number().int().min(1).max(10_000).optional() }).optional(),
  pricing: z.strictObject({ models: z.array(PriceRow).max(1_000) }).optional(),
  /**
   * Which models without a row in `pricing` have the list price of the provider. Absent: those of an account that is
   * called at the provider's own address. `true`: those behind another `base_url`, too. `false`: none.
   */
  list_prices: z.boolean().optional(),
});
export type ProviderAccountSpec = z.infer<typeof ProviderAccountSpec>;

/**
 * The spec as clients send it: an `api_key` is stored as a separate secret and replaced by the reference to it before
 * the account is passed on.
 */
export const ProviderAccountRequest = ProviderAccountSpec.extend({
  api_key: z
    .string()
    .min(4)
    .max(65_536)
    .regex(/^[\x21-\x7e]*$/, 'must be visible ASCII characters without blanks: it is sent in a header')
    .optional(),
});
export type ProviderAccountRequest = z.infer<typeof ProviderAccountRequest>;

/** A stored account; `provider_key` is spelt as in `PROVIDER_KEYS`. */
export const ProviderAccount = ProviderAccountSpec.extend({
  provider_key: z.enum(PROVIDER_KEYS),
  id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type ProviderAccount = z.infer<typeof ProviderAccount>;

const ofAccount = z.object({ ...inWorkspace, provider_account_id: Uuid });

export const providerAccounts = {
  /**
   * Fails with `conflict` when the name or the id is taken, and with `invalid_input` whose errors have the codes
   * `wrong_reference`, `env_reference_forbidden`, `required`, `invalid_url`, `not_unique` or `contradiction`. `id`
   * lets a caller name the account's secret before the account is there.
   */
  create: rpc('provider_accounts.v1.create', {
    input: z.object({ ...inWorkspace, id: Uuid.optional(), spec: ProviderAccountSpec, actor: Actor }),
    output: ProviderAccount,
  }),
  update: rpc('provider_accounts.v1.update', {
    input: ofAccount.extend({ spec: ProviderAccountSpec, actor: Actor }),
    output: z.object({ applied: Applied, provider_account: ProviderAccount }),
  }),
  list: rpc('provider_accounts.v1.list', {
    input: PageQuery.extend({ ...inWorkspace, name: PlainText.optional() }),
    output: page(ProviderAccount),
  }),
  get: rpc('provider_accounts.v1.get', { input: ofAccount, output: ProviderAccount }),
  /**
   * Calls a model of the account once: `model`, else that of its oldest alias, else it fails with `invalid_input`. Nothing
   * but the account's credential is opened for it.
   */
  test: rpc('provider_accounts.v1.test', {
    input: ofAccount.extend({ model: PlainText.trim().min(1).max(256).optional(), actor: Actor }),
    output: ModelCallReport,
    timeoutMs: 28_000,
  }),
  /** Fails with `conflict` while aliases or active deployments use the account, naming them. */
  remove: rpc('provider_accounts.v1.remove', { input: ofAccount, output: z.object({}) }),
};
