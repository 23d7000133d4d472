import { routes } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { providerAccount } from '../../resources/provider-account.js';
import type { Session } from '../../session.js';
import { oneLine } from '../../terminal/printable.js';

interface Input {
  name: string;
  model?: string;
}

/** Whether the account works, shown by one small call. A call that fails ends with 1. */
export async function run(session: Session, { name, model }: Input): Promise<ExitCode | undefined> {
  const { out } = session;
  const client = await session.client();
  const account = await providerAccount.get(client, name);
  const report = await client.call(routes.providerAccounts.test, {
    params: { provider_account_id: account.id },
    body: model === undefined ? {} : { model },
  });
  const { ok, error, latency_ms: latency, response_model: responseModel } = report;
  out.result({ id: account.id, name: account.name, ...report }, () => {
    const took = latency === null ? '' : ` (${latency} ms)`;
    const requestedModel = oneLine(report.model);
    if (error !== null)
      return `${account.name}: ${requestedModel} failed: ${error.class}: ${oneLine(error.message)}`;
    const as =
      responseModel === null || responseModel === report.model ? '' : ` as ${oneLine(responseModel)}`;
    return `${account.name}: ${requestedModel} answers${as}${took}`;
  });
  return ok ? undefined : EXIT_CODES.failed;
}
