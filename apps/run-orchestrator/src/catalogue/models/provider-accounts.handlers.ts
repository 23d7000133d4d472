import { Handles, type Serves } from '@agentclash/bus';
import { type In, providerAccounts } from '@agentclash/contracts';
import { AccountTests } from './account-tests.service.js';
import { ProviderAccountsService } from './provider-accounts.service.js';

@Handles(providerAccounts)
export class ProviderAccountsHandlers implements Serves<typeof providerAccounts> {
  constructor(
    private readonly service: ProviderAccountsService,
    private readonly tests: AccountTests,
  ) {}

  create(ask: In<typeof providerAccounts.create>) {
    return this.service.create(ask);
  }

  update(ask: In<typeof providerAccounts.update>) {
    return this.service.update(ask);
  }

  list(ask: In<typeof providerAccounts.list>) {
    return this.service.list(ask);
  }

  get(ask: In<typeof providerAccounts.get>) {
    return this.service.get(ask);
  }

  test(ask: In<typeof providerAccounts.test>) {
    return this.tests.run(ask);
  }

  async remove(ask: In<typeof providerAccounts.remove>) {
    await this.service.remove(ask);
    return {};
  }
}
