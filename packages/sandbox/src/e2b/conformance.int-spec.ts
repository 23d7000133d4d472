import { expect } from '@jest/globals';
import { TestProvider } from '../bubblewrap/test-provider.js';
import { CONFORMANCE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { FakeE2b } from '../testing/e2b/fake-e2b.js';
import { createE2bProvider } from './provider.js';

const BY_TEMPLATE = 'the template decides the size of the disk';

const machine = new TestProvider();
let service: FakeE2b | undefined;

sandboxSuite('e2b conforms', CONFORMANCE_TESTS, {
  createProvider: async () => {
    const provider = await machine.open();
    service = new FakeE2b(provider);
    const apiUrl = await service.start();
    return createE2bProvider({
      apiKey: service.apiKey,
      apiUrl,
      sandboxUrl: (id) => `${apiUrl}/machines/${id}`,
      insideTool: provider.host.tools?.inside ?? '',
      owner: 'executor-1',
    });
  },
  exceptions: {
    'files.no-space': BY_TEMPLATE,
    'life.ping': 'the service gives no figures of a sandbox that could be trusted',
  },
  expectNothingLeft: async () => {
    expect(service?.machines.size).toBe(0);
    await service?.close();
    await machine.close();
    await machine.expectNothingLeft();
  },
});
