import { Handles, type Serves } from '@agentclash/bus';
import { type In, type Out, prices } from '@agentclash/contracts';
import { listedPrices } from './listed-prices.js';
import { ProviderAccountsStore } from './provider-accounts.store.js';

/** The prices that runs created now would use. */
@Handles(prices)
export class PricesService implements Serves<typeof prices> {
  constructor(private readonly accounts: ProviderAccountsStore) {}

  async list({ workspace_id, ...query }: In<typeof prices.list>): Promise<Out<typeof prices.list>> {
    return listedPrices(await this.accounts.all(workspace_id), query);
  }
}
