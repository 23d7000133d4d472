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

  create(request: In<typeof providerAccounts.create>) {
    return this.service.create(request);
  }

  update(request: In<typeof providerAccounts.update>) {
    return this.service.update(request);
  }

  list(request: In<typeof providerAccounts.list>) {
    return this.service.list(request);
  }

  get(request: In<typeof providerAccounts.get>) {
    return this.service.get(request);
  }

  test(request: In<typeof providerAccounts.test>) {
    return this.tests.run(request);
  }

  async remove(request: In<typeof providerAccounts.remove>) {
    await this.service.remove(request);
    return {};
  }
}
