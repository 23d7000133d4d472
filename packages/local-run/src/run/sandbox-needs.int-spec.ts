import { type BubblewrapProvider, createBubblewrapProvider } from '@agentclash/sandbox';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { agentsOf, ECHO, prepared, wordsPack } from '../testing/runs.js';
import { admitSandboxes } from './sandbox-needs.js';

const IMAGE = `images.invalid/tools@sha256:${'0'.repeat(64)}`;

/** Without images: nothing has opened a store for them. */
let sandboxes: BubblewrapProvider;
beforeAll(async () => {
  sandboxes = await createBubblewrapProvider({});
}, 60_000);
afterAll(() => sandboxes?.close());

/** A pack that works in a sandbox of these settings. */
async function runOf(sandbox: string) {
  const pack = wordsPack(1)
    .replace('execution_mode: prompt_eval', `execution_mode: native\n  sandbox: ${sandbox}`)
    .replace('version:\n', 'version:\n  assets: [{key: dockerfile, path: environment/Dockerfile}]\n');
  return await prepared(pack, agentsOf(ECHO));
}

test.each([
  [`{image: "${IMAGE}"}`, /an image of its own .* no sandbox of this machine gives/],
  [`{image: "${IMAGE}", run_as_root: true}`, /an image of its own .*docs\/sandbox\.md/],
  ['{dockerfile: environment/Dockerfile}', /an image of its own .*docs\/sandbox\.md/],
  ['{sandbox_template_id: go}', /the sandbox template "go".* They have no templates/],
])(
  'a pack with %s is refused before its race where sandboxes have no such thing',
  async (sandbox, message) => {
    await expect(admitSandboxes(await runOf(sandbox), sandboxes)).rejects.toMatchObject({
      code: 'unsupported_capability',
      message: expect.stringMatching(message),
    });
  },
);

test('a pack is admitted where it needs nothing that sandboxes have not', async () => {
  await expect(admitSandboxes(await runOf('{env_vars: {TZ: UTC}}'), sandboxes)).resolves.toBeUndefined();
});
