import { Bus } from '@agentclash/bus';
import {
  ContractError,
  type ModelCallReport,
  modelCalls,
  type ProviderAccount,
  vault,
} from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { OperatorSettings } from '../resources/operator-settings.js';
import { AccountTestsStore } from './account-tests.store.js';
import { ModelAliasesStore } from './model-aliases.store.js';

/** Tries accounts by one small call, which an executor makes. */
@Injectable()
export class AccountTests {
  constructor(
    private readonly aliases: ModelAliasesStore,
    private readonly store: AccountTestsStore,
    private readonly operator: OperatorSettings,
    private readonly bus: Bus,
  ) {}

  /** Calls `model`, else that of the account's oldest alias. */
  async run(
    workspaceId: string,
    account: ProviderAccount,
    named: string | undefined,
  ): Promise<ModelCallReport> {
    const model = named ?? (await this.aliases.oldestOf(account.id))?.model;
    if (model === undefined) throw modelRequired(account);
    const testId = newId();
    await this.store.begin(testId, workspaceId, modelCalls.test.timeoutMs);
    try {
      return await this.call(testId, { workspace_id: workspaceId, account, model });
    } finally {
      await this.store.end(testId);
    }
  }

  /** The credential is granted to this test alone, which ends with it. */
  private async call(
    test_id: string,
    { workspace_id, account, model }: { workspace_id: string; account: ProviderAccount; model: string },
  ): Promise<ModelCallReport> {
    const { id: provider_account_id, provider_key, credential_reference, base_url } = account;
    const key =
      credential_reference === undefined ? undefined : this.operator.secretKeyOf(credential_reference);
    try {
      if (key !== undefined) await this.bus.call(vault.grant, { workspace_id, run_id: test_id, keys: [key] });
    } catch (error) {
      if (!(error instanceof ContractError) || error.isRetryable) throw error;
      const problem = { class: 'auth', message: error.message };
      return { ok: false, model, response_model: null, latency_ms: null, error: problem };
    }
    const connection = { provider_account_id, provider_key, model, credential_reference, base_url };
    return await this.bus.call(modelCalls.test, { workspace_id, test_id, connection });
  }
}

function modelRequired({ name }: ProviderAccount): ContractError {
  const detail = `The provider account "${name}" has no model alias: name the model to call.`;
  const message = 'is required: the account has no model alias to take one from';
  return new ContractError('invalid_input', detail, {
    errors: [{ code: 'required', field: 'model', message }],
  });
}
