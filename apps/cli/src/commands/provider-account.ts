import { type Client, ProviderAccountRequest, ProviderAccountSpec, routes } from '@agentclash/api';
import { EXIT_CODES, type ExitCode, SECRET_SCHEME } from '@agentclash/domain';
import { CommandError } from '../command-error.js';
import { providerAccount } from '../resources/kinds.js';
import type { Session } from '../session/session.js';
import { oneLine } from '../terminal/printable.js';
import { readHidden } from '../terminal/read-stdin.js';
import { type AppliedResource, appliedLine } from './resource/apply-all.js';
import { createFrom } from './resource/create.js';

interface Input {
  file?: string;
  name?: string;
  provider?: string;
  baseUrl?: string;
  credential?: string;
  apiKey?: boolean;
}

const API = routes.providerAccounts;

/** From a file, or from options; options that are not given leave an existing account as it is. */
export async function createAccount(session: Session, input: Input): Promise<ExitCode | undefined> {
  const { file, ...options } = input;
  const isByOptions = Object.keys(options).length > 0;
  if (file !== undefined && isByOptions) {
    throw new CommandError('usage', 'A file is complete: give --file alone, or none');
  }
  if (file !== undefined) return createFrom('provider_account')(session, { file });
  if (options.name === undefined) {
    throw new CommandError('usage', 'No provider account is given', {
      hint: 'Give --file, or --name and --provider.',
    });
  }
  if (options.apiKey && options.credential !== undefined) {
    throw new CommandError('usage', 'An account has one credential: --api-key or --credential');
  }
  const client = await session.client();
  const result = await apply(client, options.name, await requested(session, options));
  session.out.result(result, () => appliedLine(session, result));
  return undefined;
}

/** The options in the form of the API. */
async function requested(session: Session, options: Omit<Input, 'file'>) {
  const { name, provider, baseUrl, credential, apiKey } = options;
  return {
    ...(provider !== undefined && { provider_key: provider }),
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    ...(credential !== undefined && {
      credential_reference: credential.includes('://') ? credential : `${SECRET_SCHEME}${credential}`,
    }),
    ...(apiKey && {
      // The account's own secret takes the place of another credential.
      credential_reference: undefined,
      api_key: await readHidden(session, { what: `the key of ${name}`, hint: 'Pipe it in.' }),
    }),
  };
}

async function apply(client: Client, name: string, options: object): Promise<AppliedResource> {
  const { items } = await client.call(API.list, { query: { name } });
  const existing = items.find((account) => account.name === name);
  const before = existing === undefined ? {} : ProviderAccountSpec.strip().parse(existing);
  const checked = ProviderAccountRequest.safeParse({ ...before, ...options, name });
  if (!checked.success) {
    const choices = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new CommandError('usage', `The provider account "${name}" was not written`, { choices });
  }
  const resource = 'provider_account';
  if (existing === undefined) {
    const { id } = await client.call(API.create, { body: checked.data });
    return { resource, id, name, applied: 'created' };
  }
  const { id, applied } = await client.call(API.update, {
    params: { provider_account_id: existing.id },
    body: checked.data,
  });
  return { resource, id, name, applied };
}

interface AccountTest {
  name: string;
  model?: string;
}

/** Tests an account by one small call. A call that fails ends with 1. */
export async function testAccount(
  session: Session,
  { name, model }: AccountTest,
): Promise<ExitCode | undefined> {
  const { out } = session;
  const client = await session.client();
  const account = await providerAccount.get(client, name);
  const report = await client.call(routes.providerAccounts.test, {
    params: { provider_account_id: account.id },
    body: model === undefined ? {} : { model },
  });
  const { ok, error, latency_ms: latency, response_model: responseModel } = report;
  out.result({ id: account.id, name: account.name, ...report }, () => {
    const took = latency === null ? '' : `, ${latency} ms`;
    const requestedModel = oneLine(report.model);
    if (error !== null)
      return `${account.name}: ${requestedModel} failed: ${error.class}: ${oneLine(error.message)}`;
    const as =
      responseModel === null || responseModel === report.model ? '' : ` (as ${oneLine(responseModel)})`;
    return `${account.name}: ${requestedModel}: OK${took}${as}`;
  });
  return ok ? undefined : EXIT_CODES.failed;
}
