import {
  type Client,
  type ListedPrice,
  type ProviderAccount,
  ProviderAccountSpec,
  routes,
} from '@agentclash/api';
import { CommandError } from '../command-error.js';
import { allPages } from '../lookup/all-pages.js';
import { providerAccount } from '../resources/kinds.js';
import type { Session } from '../session/session.js';
import { printTable } from '../terminal/print-table.js';
import { oneLine } from '../terminal/printable.js';
import type { Column } from '../terminal/table.js';

interface Choice {
  provider?: string;
}

/** The prices of all accounts and lists. */
export async function listPrices(session: Session, { provider }: Choice): Promise<undefined> {
  await print(session, provider === undefined ? {} : { provider });
}

/** The price of one model at each account. */
export async function showPrice(
  session: Session,
  { model, provider }: Choice & { model: string },
): Promise<undefined> {
  await print(session, { model, ...(provider !== undefined && { provider }) });
}

async function print(session: Session, query: { provider?: string; model?: string }): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const listed = await client.call(routes.prices.list, { query: query as never });
  const isWithoutAccount = listed.items.some(({ account }) => account === null);
  const notes = [
    'US dollars per million tokens. - is the rate of other input or output.',
    ...(query.model !== undefined && isWithoutAccount ? [WITHOUT_ACCOUNT] : []),
  ];
  printTable(out, listed.items, {
    document: listed,
    columns: COLUMNS,
    empty: 'no prices',
    text: (table) => [table(), '', ...notes].join('\n'),
  });
}

const WITHOUT_ACCOUNT =
  'A price without an account holds once the workspace has an account of the provider (agentclash provider-account create).';

/** A rate; `unknown` for a model without a price, `-` for an absent rate. */
const rate =
  (name: RateName) =>
  ({ price }: ListedPrice): string =>
    price === null ? 'unknown' : (price[name]?.toString() ?? '-');

const figure = { align: 'right' } as const;
const COLUMNS: Column<ListedPrice>[] = [
  { title: 'PROVIDER', value: ({ provider_key }) => provider_key },
  { title: 'MODEL', value: ({ model }) => model },
  { title: 'INPUT', value: rate('input_cost_per_million_tokens'), ...figure },
  { title: 'CACHED', value: rate('cached_input_cost_per_million_tokens'), ...figure, leaveOut: 4 },
  { title: 'CACHE WRITE', value: rate('cache_write_cost_per_million_tokens'), ...figure, leaveOut: 2 },
  { title: 'OUTPUT', value: rate('output_cost_per_million_tokens'), ...figure },
  { title: 'REASONING', value: rate('reasoning_cost_per_million_tokens'), ...figure, leaveOut: 1 },
  {
    title: 'LONG PROMPT',
    value: ({ price }) =>
      price?.long_prompt === undefined
        ? '-'
        : `above ${price.long_prompt.above_input_tokens}: ${price.long_prompt.input_cost_per_million_tokens} / ${price.long_prompt.output_cost_per_million_tokens}`,
    leaveOut: 3,
  },
  { title: 'SOURCE', value: sourceOf },
];

type RateName = Exclude<
  keyof NonNullable<ListedPrice['price']>,
  'provider_key' | 'provider_model_id' | 'long_prompt'
>;

function sourceOf({ source, account, as_of }: ListedPrice): string {
  const of = account === null ? '' : `account ${account.name}`;
  if (source === 'account') return of;
  const list = source === 'list' ? `list of ${as_of}` : 'none';
  return of === '' ? list : `${list} (${of})`;
}

interface PriceOptions {
  model: string;
  account?: string;
  input: number;
  output: number;
  cachedInput?: number;
  cacheWrite?: number;
  reasoning?: number;
}

/** Replaces the price of one model; the rest of the account stays. */
export async function setPrice(session: Session, options: PriceOptions): Promise<undefined> {
  const { model, account: named, input, output, cachedInput, cacheWrite, reasoning } = options;
  const client = await session.client();
  const account = await chosenAccount(client, named);
  const row = {
    provider_key: account.provider_key,
    provider_model_id: model,
    input_cost_per_million_tokens: input,
    output_cost_per_million_tokens: output,
    ...(cachedInput !== undefined && { cached_input_cost_per_million_tokens: cachedInput }),
    ...(cacheWrite !== undefined && { cache_write_cost_per_million_tokens: cacheWrite }),
    ...(reasoning !== undefined && { reasoning_cost_per_million_tokens: reasoning }),
  };
  const applied = await replaceRows(client, account, [...otherRows(account, model), row]);
  const { name } = account;
  session.out.result(
    { account: name, model, applied, price: row },
    () =>
      `${oneLine(model)} costs $${input} for input and $${output} for output at the account ${oneLine(name)}`,
  );
}

export async function unsetPrice(
  session: Session,
  { model, account: named }: Pick<PriceOptions, 'model' | 'account'>,
): Promise<undefined> {
  const client = await session.client();
  const account = await chosenAccount(client, named);
  const rows = otherRows(account, model);
  const { name } = account;
  if (rows.length === (account.pricing?.models.length ?? 0)) {
    throw new CommandError('not_found', `The account "${name}" has no price of ${model}`, {
      hint: 'agentclash prices list shows the prices of all accounts.',
    });
  }
  const applied = await replaceRows(client, account, rows);
  session.out.result(
    { account: name, model, applied },
    () => `${oneLine(model)} has no price of its own at the account ${oneLine(name)}`,
  );
}

/** The named account, or the only one. */
async function chosenAccount(client: Client, named: string | undefined): Promise<ProviderAccount> {
  if (named !== undefined) {
    const { id } = await providerAccount.get(client, named);
    return await client.call(routes.providerAccounts.get, { params: { provider_account_id: id } });
  }
  const list = (cursor: string | undefined) =>
    client.call(routes.providerAccounts.list, { query: cursor === undefined ? {} : { cursor } });
  const accounts = await allPages<ProviderAccount>(list);
  const [only, ...others] = accounts;
  if (only !== undefined && others.length === 0) return only;
  throw new CommandError('usage', 'No provider account is given', {
    hint: 'Give --account with the name of the account that calls the model.',
    choices: accounts.map(({ name }) => name),
  });
}

function otherRows({ pricing }: ProviderAccount, model: string) {
  return (pricing?.models ?? []).filter(({ provider_model_id }) => provider_model_id !== model);
}

type Rows = NonNullable<ProviderAccount['pricing']>['models'];

async function replaceRows(client: Client, account: ProviderAccount, models: Rows) {
  const { applied } = await client.call(routes.providerAccounts.update, {
    params: { provider_account_id: account.id },
    body: { ...ProviderAccountSpec.strip().parse(account), pricing: { models } },
  });
  return applied;
}
