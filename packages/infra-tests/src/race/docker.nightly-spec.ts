import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { PrivateEngine, withoutDocker } from '@agentclash/sandbox/fixtures/docker';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

jest.setTimeout(900_000);

const repository = path.resolve(import.meta.dirname, '../../../..');
const DEMO = path.join(repository, 'packages/local-stack/dist/demo/main.js');
const AGENTCLASH = path.join(repository, 'apps/cli/bin/agentclash.js');

/** Of the ranking: agent, verdict, and all but the times and intervals. */
const ROW =
  /^\d\s+(oracle|hasty|idle)\s+(passed|failed)\s+\S+ \[[^\]]*\]\s+(\S+) \[[^\]]*\]\s+(\S+)\s.*\s(\d\/\d)\s/gm;

function ranking(stdout: string): string[][] {
  return [...stdout.matchAll(ROW)].map((row) => row.slice(1));
}

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`a race in containers has the scores of one in bubblewrap: ${reason}`, () => {});
} else {
  describe('the product with containers as sandboxes', () => {
    const docker = new PrivateEngine();
    const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-race-'));
    let settings: Record<string, string> = {};
    beforeAll(async () => {
      chmodSync(folder, 0o755);
      await docker.start();
      const image = await docker.importImage();
      settings = { SANDBOX_PROVIDER: 'docker', DOCKER_HOST: docker.address.url, SANDBOX_IMAGE: image };
    });
    afterAll(async () => {
      await docker.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    });

    async function run(words: readonly string[], more: Record<string, string>): Promise<string> {
      const env = { ...process.env, XDG_CONFIG_HOME: path.join(folder, 'config'), CI: '1', ...more };
      // Doctor exits with another code where anything is to be improved.
      const ended = await promisify(execFile)(process.execPath, words, { cwd: repository, env }).catch(
        (error: { stdout: string }) => error,
      );
      return ended.stdout;
    }

    test('a race in containers has the scores of one in bubblewrap, and leaves no container', async () => {
      const local = await run([DEMO, '--data', path.join(folder, 'local')], {});
      const contained = await run([DEMO, '--data', path.join(folder, 'contained')], settings);
      expect(ranking(contained)).toHaveLength(3);
      expect(ranking(contained)).toEqual(ranking(local));
      await docker.expectNothingLeft();
    });

    test('doctor states that sandboxes are containers, and what the daemon cannot', async () => {
      const stdout = await run([AGENTCLASH, 'doctor', '--json'], settings);
      expect(stdout).toContain('docker');
      expect(stdout).toContain('does not limit the size of a root');
    });

    test('doctor names the next step where no daemon responds', async () => {
      const stdout = await run([AGENTCLASH, 'doctor', '--json'], {
        ...settings,
        DOCKER_HOST: 'unix:///absent/docker.sock',
      });
      expect(stdout).toContain('unix:///absent/docker.sock does not respond');
      expect(stdout).toContain('DOCKER_HOST');
    });
  });
}
