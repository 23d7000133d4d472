import path from 'node:path';
import { comparableResults, localResults, type Race, repository, StackFolder } from '@agentclash/e2e';
import { findTestRunsc } from '@agentclash/sandbox/fixtures/gvisor';
import { afterAll, expect, jest, test } from '@jest/globals';

jest.setTimeout(300_000);

const RACE: Race = { pack: 'fix-the-tests', agents: ['fix-oracle', 'fix-cheat', 'fix-idle'], cases: 2 };
const found = findTestRunsc();
const folders = [new StackFolder(), new StackFolder()] as const;
afterAll(() => {
  for (const folder of folders) folder.remove();
});

if ('skipped' in found) {
  test.skip(`a race on gVisor has the scorecards and ranking of one in bubblewrap, but not here: ${found.skipped}`, () => {});
} else {
  test('a race on gVisor has the scorecards and ranking of one in bubblewrap, but for ids and times', async () => {
    const of = (directory: string) => path.join(repository, 'examples', directory, `${RACE.pack}.yaml`);
    const files = { pack: of('challenge-packs'), agents: of('deployments') };
    const results = async (folder: StackFolder, env: NodeJS.ProcessEnv) =>
      comparableResults(await localResults(folder, { race: RACE, ...files, env }));
    const bubblewrap = await results(folders[0], { SANDBOX_ISOLATION: 'namespaces' });
    expect(bubblewrap.cards).toHaveLength(RACE.agents.length * RACE.cases);
    const gvisor = await results(folders[1], { SANDBOX_ISOLATION: 'gvisor', SANDBOX_RUNSC: found.program });
    expect(gvisor).toEqual(bubblewrap);
  });
}
