import { expect } from '@jest/globals';
import type { BubblewrapOptions } from '../../bubblewrap/options.js';
import { createE2bProvider, type E2bProvider } from '../../e2b/provider.js';
import { TestProvider } from '../test-provider.js';
import { FakeE2b } from './fake-e2b.js';

/** A provider on a fake service on real sandboxes, and all that must go with it. */
export class E2bFixture {
  readonly #machine = new TestProvider();
  #service: FakeE2b | undefined;
  #url = '';
  #insideTool = '';

  get service(): FakeE2b {
    if (!this.#service) throw new Error('there is no service yet');
    return this.#service;
  }

  async open(): Promise<E2bProvider> {
    await this.start();
    return this.connect();
  }

  /** `image` names the template of the machines among those of the options. */
  async start(options: BubblewrapOptions = {}, image?: string): Promise<void> {
    const provider = await this.#machine.open(options);
    this.#insideTool = provider.host.tools.inside;
    this.#service = new FakeE2b(provider, image);
    this.#url = await this.#service.start();
  }

  connect(owner = 'executor-1'): Promise<E2bProvider> {
    return createE2bProvider({
      apiKey: this.service.apiKey,
      apiUrl: this.#url,
      sandboxUrl: (id) => `${this.#url}/machines/${id}`,
      insideTool: this.#insideTool,
      owner,
      pollIntervalMs: 20,
    });
  }

  async expectNothingLeft(): Promise<void> {
    expect(this.#service?.machines.size).toBe(0);
    await this.#service?.close();
    await this.#machine.close();
    await this.#machine.expectNothingLeft();
  }
}
