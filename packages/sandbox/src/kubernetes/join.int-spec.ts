import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EXPOSED_EXIT, LEASE_EXIT } from '../inside/lifetime.js';
import { seccompFilter } from '../seccomp/filter.js';
import { TestProvider } from '../testing/test-provider.js';

const READY = Buffer.from([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
/** Of a network that no other test has. */
const ALONE = ['--user', '--map-current-user', '--net'];

describe('a process inside whose streams another container has', () => {
  const machine = new TestProvider();
  let directory = '';
  let inside = '';
  beforeAll(async () => {
    inside = (await machine.open()).host.tools.inside;
    directory = await mkdtemp(path.join(tmpdir(), 'agentclash-join-'));
    await writeFile(path.join(directory, 'filter'), seccompFilter(process.arch === 'x64' ? 'x64' : 'arm64'));
  });
  afterAll(async () => {
    await machine.close();
    rmSync(directory, { recursive: true });
  });

  /** Both in one network namespace, as the containers of a pod are; what the first process ends with goes to a file. */
  function joined(...words: string[]) {
    const script = '("$1" await; echo $? > "$2") & shift 2; exec "$@"';
    const code = path.join(directory, `code-${Math.random()}`);
    const child = spawn('unshare', [
      ...ALONE,
      'sh',
      '-c',
      script,
      'sh',
      inside,
      code,
      inside,
      'join',
      ...words,
    ]);
    const read = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (read.stdout += chunk.toString('latin1')));
    child.stderr.on('data', (chunk: Buffer) => (read.stderr += chunk.toString()));
    const ended = once(child, 'close').then(([exitCode]) => ({
      exitCode: Number(exitCode),
      code: Number(readFileSync(code, 'utf8')),
      ...read,
    }));
    return { child, ended };
  }

  test('its frames arrive, and it ends with the stream of its host', async () => {
    const { child, ended } = joined('confined', path.join(directory, 'filter'), '0', '60000');
    const [first] = await once(child.stdout, 'data');
    expect(first).toEqual(READY);
    child.stdin.end();
    expect(await ended).toMatchObject({ exitCode: 0, code: 0, stderr: '' });
  }, 20_000);

  test('the exit code by which it ends itself is that of its streams, too', async () => {
    const { ended } = joined('0', '50');
    expect(await ended).toMatchObject({ exitCode: LEASE_EXIT, code: LEASE_EXIT });
  }, 20_000);

  test('what it writes of an error before it begins arrives with the exit code', async () => {
    const { ended } = joined('confined', '/absent', '0', '60000');
    expect(await ended).toMatchObject({
      exitCode: 44,
      stdout: '',
      stderr: expect.stringContaining('/absent'),
    });
  }, 20_000);

  test('it does not begin where processes of its user can open its streams', async () => {
    const command = [inside, 'confined', path.join(directory, 'filter'), '0', '60000'];
    // Root with all capabilities can do as every user on gVisor. Streams are sockets with Node, which do not open so.
    const script = 'exec 3>&1; { "$@" || echo "exit $?" >&3; } | cat';
    const child = spawn('unshare', ['--user', '--map-root-user', 'sh', '-c', script, 'sh', ...command]);
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(output).toBe(`exit ${EXPOSED_EXIT}\n`);
    expect(errors).toMatch(/^exposed: /);
  }, 20_000);
});
