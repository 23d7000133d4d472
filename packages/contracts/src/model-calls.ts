import { z } from 'zod';
import { rpc } from './message.js';
import { CredentialReference, inWorkspace } from './resources.js';
import { Uuid } from './values.js';

/** The result of one small call to a model. A failure is a result, with the class of the failure and a message for users. */
export const ModelCallReport = z.object({
  ok: z.boolean(),
  /** The requested model; the model of the reply, as the provider reports it. */
  model: z.string(),
  response_model: z.string().nullable(),
  latency_ms: z.number().int().nullable(),
  error: z.object({ class: z.string(), message: z.string() }).nullable(),
});
export type ModelCallReport = z.infer<typeof ModelCallReport>;

/** The executor's model calls beside attempts. */
export const modelCalls = {
  /**
   * Makes one call within 20 seconds. `test_id` replaces run and attempt when the credential is opened and the slot is
   * acquired. Fails with `unavailable` when the vault or the slots are out of reach.
   */
  test: rpc('model_calls.v1.test', {
    input: z.object({
      ...inWorkspace,
      test_id: Uuid,
      connection: z.object({
        provider_account_id: Uuid,
        provider_key: z.string(),
        model: z.string(),
        credential_reference: CredentialReference.optional(),
        base_url: z.string().optional(),
      }),
    }),
    output: ModelCallReport,
    timeoutMs: 24_000,
  }),
};
