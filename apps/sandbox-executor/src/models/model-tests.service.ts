import { Bus, Handles, type Serves } from '@agentclash/bus';
import { ContractError, type In, type ModelCallReport, modelCalls } from '@agentclash/contracts';
import { AttemptEnded, accountOf, OpenedSecrets } from '@agentclash/engine';
import { type Model, ModelCallError, type ModelReply, openModel } from '@agentclash/models';
import { BusSlots, LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject } from '@nestjs/common';
import { MACHINE, type Machine } from '../machine/machine.js';
import { vaultSecrets } from '../machine/vault-secrets.js';

const DEADLINE_MS = 20_000;
/** As little as every provider accepts. */
const OUTPUT_TOKENS_MAX = 16;
const QUESTION = 'Reply with the single word: ok';

/** Makes single calls that show whether an account works. */
@Handles(modelCalls)
export class ModelTests implements Serves<typeof modelCalls> {
  constructor(
    private readonly bus: Bus,
    private readonly slots: BusSlots,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Fails with `unavailable` when vault or orchestrator are unreachable, which is no result about the account. */
  async test({ workspace_id, test_id, connection }: In<typeof modelCalls.test>): Promise<ModelCallReport> {
    const requester = { workspace_id, run_id: test_id, attempt_id: test_id, delivery: 1 };
    const secrets = new OpenedSecrets(vaultSecrets(requester, this.bus));
    const { egress, readVariable } = this.machine;
    const model = openModel(accountOf(connection, { secrets, readVariable }), {
      model: connection.model,
      runId: test_id,
      egress,
      slots: this.slots,
      sampling: { max_output_tokens: OUTPUT_TOKENS_MAX },
      stepTimeoutMs: DEADLINE_MS,
      onFailure: (failure) =>
        this.logger.info(
          { account_id: connection.provider_account_id, failure: secrets.redact(failure) },
          'test of an account failed',
        ),
    });
    const startedAt = performance.now();
    const result = secrets.redact(await resultOf(model));
    return { model: model.name, latency_ms: Math.round(performance.now() - startedAt), ...result };
  }
}

type CallResult = Pick<ModelCallReport, 'ok' | 'response_model' | 'error'>;

async function resultOf(model: Model): Promise<CallResult> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const messages = [{ role: 'user', text: QUESTION } as const];
  try {
    const reply: ModelReply = await model.call({ messages, tools: [], signal });
    return { ok: true, response_model: reply.responseModel, error: null };
  } catch (error) {
    if (error instanceof ModelCallError) return failed(error.failure, error.message);
    if (signal.aborted) return failed('timeout', `there was no reply within ${DEADLINE_MS / 1_000} s`);
    if (!(error instanceof AttemptEnded)) throw error;
    const message = 'The credential of the account could not be opened. Try again shortly.';
    throw new ContractError('unavailable', message, {}, { cause: error });
  }
}

function failed(failure: string, message: string): CallResult {
  return { ok: false, response_model: null, error: { class: failure, message } };
}
