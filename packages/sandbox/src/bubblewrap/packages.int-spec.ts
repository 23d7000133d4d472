import { afterAll, expect, test } from '@jest/globals';
import { TestProvider } from './test-provider.js';

const machine = new TestProvider();
afterAll(() => machine.expectNothingLeft());

test('packages that the image has are served; one that it lacks is refused by name', async () => {
  const provider = await machine.open();
  const spec = {
    limits: { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20 },
    labels: { runId: 'r', attemptId: 'a' },
  };
  const session = await provider.create({ ...spec, packages: ['dpkg', 'bash'] });
  expect((await session.exec(['bash', '-c', 'echo here'])).stdout.toString()).toBe('here\n');
  const refused = provider.create({ ...spec, packages: ['bash', 'no-such-package'] });
  await expect(refused).rejects.toMatchObject({ code: 'unsupported', capability: 'packages' });
  await provider.close();
});
