import { expect } from '@jest/globals';
import { TestProvider } from '../../bubblewrap/test-provider.js';
import { createE2bProvider, type E2bProvider } from '../../e2b/provider.js';
import { FakeE2b } from './fake-e2b.js';

/** A provider on a fake service on real sandboxes, and all that must go with it. */
export class E2bFixture {
  readonly #machine = new TestProvider();
  #service: FakeE2b | undefined;

  async open(): Promise<E2bProvider> {
    const provider = await this.#machine.open();
    const service = new FakeE2b(provider);
    this.#service = service;
    const apiUrl = await service.start();
    return createE2bProvider({
      apiKey: service.apiKey,
      apiUrl,
      sandboxUrl: (id) => `${apiUrl}/machines/${id}`,
      insideTool: provider.host.tools?.inside ?? '',
      owner: 'executor-1',
    });
  }

  async expectNothingLeft(): Promise<void> {
    expect(this.#service?.machines.size).toBe(0);
    await this.#service?.close();
    await this.#machine.close();
    await this.#machine.expectNothingLeft();
  }
}
