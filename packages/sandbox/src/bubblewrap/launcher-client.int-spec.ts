import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { waitFor } from '@agentclash/testkit';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { TestProvider } from '../testing/test-provider.js';
import { LauncherService } from './launcher-service.js';

const SPEC = {
  limits: { cpu: 1, memoryBytes: 64 << 20, pids: 64, workspaceBytes: 1 << 20 },
  labels: { runId: 'launcher', attemptId: 'launcher' },
};
const machine = new TestProvider();
afterEach(() => machine.close());
afterAll(() => machine.expectNothingLeft());

const sockets = () => readdirSync(path.join(machine.stateDir, 'sockets'));

/** The pid of this provider's launcher. */
function launcher(): number {
  const [pid] = machine
    .processes()
    .filter((id) => readFileSync(`/proc/${id}/cmdline`, 'latin1').includes(`serve\0${machine.stateDir}`));
  if (pid === undefined) throw new Error('no launcher runs');
  return pid;
}

test('sandboxes end with a killed launcher, and the next one has a new launcher', async () => {
  const provider = await machine.open();
  const [first, second] = await Promise.all([provider.create(SPEC), provider.create(SPEC)]);
  await first.exec(['sh', '-c', "trap '' TERM HUP; setsid sleep 3600 & sleep 3600 &"]);
  const running = first.exec(['sleep', '3600']);
  const killed = launcher();
  process.kill(killed, 'SIGKILL');
  await expect(running).rejects.toMatchObject({ code: 'sandbox_dead', death: 'killed' });
  await expect(second.ended).resolves.toMatchObject({ death: 'killed' });
  await Promise.all([first.destroy(), second.destroy()]);
  await waitFor(() => machine.processes().length === 0);
  expect([machine.records(), machine.cgroups(), sockets()]).toEqual([[], [], []]);
  const third = await provider.create(SPEC);
  expect((await third.exec(['echo', 'alive'])).stdout.toString()).toBe('alive\n');
  expect(launcher()).not.toBe(killed);
});

test('all sandboxes of a provider have one launcher, which ends with it', async () => {
  const provider = await machine.open();
  const pid = launcher();
  const sessions = await Promise.all([1, 2, 3].map(() => provider.create(SPEC)));
  expect(launcher()).toBe(pid);
  await Promise.all(sessions.map((session) => session.destroy()));
  expect(machine.processes()).toEqual([pid]);
  await provider.close();
  expect([machine.processes(), sockets()]).toEqual([[], []]);
});

test('no user but its owner can use the launcher', async () => {
  await machine.open();
  const [name = ''] = sockets();
  const marker = path.join(machine.stateDir, 'sockets', 'launched');
  const request = `
    const socket = require('node:net').connect(${JSON.stringify(path.join(machine.stateDir, 'sockets', name))});
    const text = Buffer.from(['--', '/usr/bin/touch', ${JSON.stringify(marker)}, ''].join('\\0'));
    const header = Buffer.alloc(8);
    header.writeUInt32LE(text.length);
    socket.on('error', () => {}).on('close', () => console.log('refused')).resume();
    socket.write(Buffer.concat([header, text]));`;
  const other = spawn(process.execPath, ['--eval', request], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await text(other.stdout)).toBe('refused\n');
  expect(sockets()).toEqual([name]);
});

test('a request that is cut short launches nothing and harms no other', async () => {
  const provider = await machine.open();
  const [name = ''] = sockets();
  const send = async (bytes: Buffer) => {
    const socket = connect(path.join(machine.stateDir, 'sockets', name)).on('error', () => {});
    socket.resume().end(bytes);
    await new Promise((resolve) => socket.once('close', resolve));
  };
  await send(Buffer.from([200, 0, 0, 0, 9, 0, 0, 0, 45, 45]));
  await send(Buffer.alloc(64, 0xff));
  const session = await provider.create(SPEC);
  expect((await session.exec(['echo', 'alive'])).stdout.toString()).toBe('alive\n');
});

test('a request that cannot be launched gets the reason', async () => {
  const { tools, socketDirectory } = (await machine.open()).host;
  const service = await LauncherService.start(tools.launcher, path.join(socketDirectory, 'own'));
  const { ended } = service.launch(['--', '/nowhere/bwrap']);
  await expect(ended).resolves.toMatchObject({
    exitCode: 71,
    stderr: expect.stringContaining('No such file or directory'),
  });
  await service.close();
});

const LOADER = path.resolve(import.meta.dirname, '../../../testkit/src/jest/typescript.mjs');

test('the socket of an owner that was killed together with its launcher is removed', async () => {
  const owner = `
    import { createBubblewrapProvider } from '@agentclash/sandbox';
    await createBubblewrapProvider(${JSON.stringify({ stateDir: machine.stateDir, cgroupName: machine.cgroupName })});
    setInterval(() => {}, 1_000_000);
    console.log('running');`;
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', LOADER, '--input-type=module', '--eval', owner],
    { cwd: path.resolve(import.meta.dirname, '../..'), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  if (child.stdout) await Promise.race([once(child.stdout, 'data'), exited]);
  const pid = launcher();
  process.kill(pid, 'SIGSTOP');
  child.kill('SIGKILL');
  await exited;
  process.kill(pid, 'SIGKILL');
  await waitFor(() => machine.processes().length === 0);
  expect(sockets()).toHaveLength(1);
  await machine.open();
  const [kept, ...others] = sockets();
  expect([kept?.startsWith(`${process.pid}-`), others]).toEqual([true, []]);
}, 60_000);
