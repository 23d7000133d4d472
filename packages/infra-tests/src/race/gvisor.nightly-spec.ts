import path from 'node:path';
import {
  comparableResults,
  Product,
  RACES,
  type Race,
  repository,
  StackFolder,
  stackResults,
} from '@agentclash/e2e';
import { PrivateEngine, withoutDocker } from '@agentclash/sandbox/fixtures/docker';
import { findTestRunsc } from '@agentclash/sandbox/fixtures/gvisor';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

jest.setTimeout(900_000);

/** Tests of code in a verifier sandbox, a script that reads evidence, and a harness of the pack's own. */
const PACKS = ['fix-the-tests', 'graders-in-code', 'sales-questions'];
const races = RACES.filter(({ pack }) => PACKS.includes(pack));

const found = findTestRunsc();
const runtimes =
  'skipped' in found ? {} : { runsc: { path: found.program, runtimeArgs: ['--network=none'] } };

/** Publishes the packs on a stack of its own, and has their agents race there. */
async function resultsOf(env: NodeJS.ProcessEnv) {
  const folder = new StackFolder();
  const product = await Product.start(folder, env);
  try {
    const results = [];
    for (const race of races) results.push(comparableResults(await raceOn(product, race)));
    return results;
  } finally {
    await product.stop();
    folder.remove();
  }
}

async function raceOn(product: Product, { pack, inputSet = 'default', agents }: Race) {
  const of = (directory: string) => path.join(repository, 'examples', directory, `${pack}.yaml`);
  await product.read('challenge-pack', 'publish', of('challenge-packs'));
  await product.read('deployment', 'create', '-f', of('deployments'));
  const words = ['--pack', pack, '--input-set', inputSet, '--deployment', ...agents];
  const { id } = await product.read<{ id: string }>('eval', 'start', ...words);
  await product.run(['run', 'show', id, '--follow'], { timeoutMs: 280_000 });
  return await stackResults(product, id);
}

if ('skipped' in found) {
  test.skip(`races on gVisor have the scorecards of those in bubblewrap, but not here: ${found.skipped}`, () => {});
} else {
  const runsc = found.program;
  describe('races of published packs on gVisor', () => {
    let bubblewrap: Awaited<ReturnType<typeof resultsOf>>;
    beforeAll(async () => {
      bubblewrap = await resultsOf({ SANDBOX_ISOLATION: 'namespaces' });
      const attempts = races.map(({ agents, cases }) => agents.length * cases);
      expect(bubblewrap.map(({ cards }) => cards.length)).toEqual(attempts);
    }, 600_000);

    test('races on gVisor have the scorecards and rankings of those in bubblewrap, but for ids and times', async () => {
      expect(await resultsOf({ SANDBOX_ISOLATION: 'gvisor', SANDBOX_RUNSC: runsc })).toEqual(bubblewrap);
    });

    const reason = withoutDocker();
    (reason === undefined ? describe : describe.skip)(
      `containers${reason ? `, but not here: ${reason}` : ''}`,
      () => {
        const docker = new PrivateEngine({ runtimes });
        let settings: NodeJS.ProcessEnv = {};
        beforeAll(async () => {
          await docker.start();
          const SANDBOX_IMAGE = await docker.importImage();
          settings = { SANDBOX_PROVIDER: 'docker', DOCKER_HOST: docker.address.url, SANDBOX_IMAGE };
        }, 120_000);
        afterAll(() => docker.close(), 120_000);

        test.each([
          ['by the runtime of the daemon', {}],
          ['by gVisor as the runtime', { SANDBOX_DOCKER_RUNTIME: 'runsc' }],
        ])(
          'races in containers %s have the scorecards and rankings of those in bubblewrap',
          async (_, env) => {
            expect(await resultsOf({ ...settings, ...env })).toEqual(bubblewrap);
            await docker.expectNothingLeft();
          },
        );
      },
    );
  });
}
