import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PROGRAM } from '../../testing/command.js';
import { findItems } from './inspect.js';
import { type MachineFolders, madeItems, STACK_ENTRIES } from './made-here.js';
import { removeItem } from './remove.js';

const SECRET = 'kept by its owner';
let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'agentclash-uninstall-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (...names: string[]) => path.join(home, ...names);

function write(...names: string[]): void {
  mkdirSync(path.dirname(at(...names)), { recursive: true });
  writeFileSync(at(...names), SECRET);
}

/** Everything that the product makes, with files of others around it. */
function fillHome(): MachineFolders {
  const stack = ['.local', 'share', 'agentclash'];
  for (const name of STACK_ENTRIES) write(...stack, name, ...(name.includes('.') ? [] : ['file']));
  write('other-stack', 'credentials.json');
  write('other-stack', 'postgres', 'base', '1', '2');
  for (const name of ['config.yaml', 'stack.yaml']) write('.config', 'agentclash', name);
  for (const name of ['nats-server/2', 'agents/codex', 'sandbox/root'])
    write('.cache', 'agentclash', ...name.split('/'), 'file');
  write('run', 'agentclash', 'sandbox', 'seccomp.bpf');
  for (const name of ['.config/other/config.yaml', '.cache/other/file', 'own/credentials.json', 'note.txt'])
    write(...name.split('/'));
  symlinkSync(at('own'), at('.cache', 'agentclash', 'agents', 'link'));
  symlinkSync(at('own'), at(...stack, 'blobs', 'link'));
  return {
    config: at('.config', 'agentclash'),
    stacks: [at(...stack), at('other-stack'), at('own-folder'), at(...stack)],
    otherStacks: [],
    caches: [at('.cache', 'agentclash')],
    sandboxStates: [at('run', 'agentclash', 'sandbox')],
    controlGroups: [],
  };
}

/** That of a sandbox at work. */
const RECORD = ['run', 'agentclash', 'sandbox', 'live', 'record'];
const OTHERS = ['.cache/other/file', '.config/other/config.yaml', 'note.txt', 'own/credentials.json'];

/** Files and links below the home, by their paths. */
function filesLeft(folder = home): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesLeft(file) : [path.relative(home, file)];
    })
    .sort();
}

/** As stacks note it: a later process with the same id is another. */
function startOf(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

async function removeAll(folders: MachineFolders) {
  const done = [];
  for (const item of await findItems(madeItems(folders))) done.push(await removeItem(item));
  return done;
}

describe('what is removed from a machine', () => {
  test('all that was made is found with its size and removed, and nothing else is touched', async () => {
    const folders = fillHome();
    const found = await findItems(madeItems(folders));
    expect(found.map(({ kind }) => kind)).toEqual(['stack', 'stack', 'sandbox state', 'cache', 'settings']);
    for (const { bytes, others, keeps } of found) {
      expect({ others, keeps }).toEqual({ others: [], keeps: undefined });
      expect(bytes).toBeGreaterThan(0);
    }
    const done = await removeAll(folders);
    expect(done.every(({ removed }) => removed)).toBe(true);
    expect(filesLeft()).toEqual(OTHERS);
    for (const name of OTHERS) expect(readFileSync(at(name), 'utf8')).toBe(SECRET);
    for (const name of [
      '.local/share/agentclash',
      'other-stack',
      '.config/agentclash',
      '.cache/agentclash',
      'run/agentclash',
    ])
      expect(existsSync(at(name))).toBe(false);
    expect(await findItems(madeItems(folders))).toEqual([]);
  });

  test('files of others in a folder of ours stay, and are named', async () => {
    const folders = fillHome();
    write('other-stack', 'thesis.tex');
    write('.config', 'agentclash', 'notes.md');
    // As root, a cache is a folder of the whole machine.
    write('.cache', 'agentclash', 'tarballs', 'file');
    const done = await removeAll(folders);
    expect(done.flatMap(({ others }) => others)).toEqual(['thesis.tex', 'tarballs', 'notes.md']);
    expect(filesLeft()).toEqual(
      [
        ...OTHERS,
        '.cache/agentclash/tarballs/file',
        '.config/agentclash/notes.md',
        'other-stack/thesis.tex',
      ].sort(),
    );
  });

  test('a folder that no stack has made is left alone, although it was named', async () => {
    const folders = fillHome();
    write('own-folder', 'postgres', 'file');
    await removeAll(folders);
    expect(filesLeft()).toContain('own-folder/postgres/file');
  });

  test('a link in the place of a folder is neither followed nor removed', async () => {
    const folders = fillHome();
    rmSync(at('.cache', 'agentclash'), { recursive: true });
    symlinkSync(at('own'), at('.cache', 'agentclash'));
    const done = await removeAll(folders);
    expect(done.find(({ kind }) => kind === 'cache')).toMatchObject({
      removed: false,
      keeps: expect.stringContaining('link'),
    });
    expect(filesLeft()).toEqual([...OTHERS, '.cache/agentclash'].sort());
  });

  test('the state of sandboxes and the cache with their programs stay while one is recorded', async () => {
    const folders = fillHome();
    write(...RECORD);
    const done = await removeAll(folders);
    const kept = done.filter(({ removed }) => !removed);
    expect(kept.map(({ kind }) => kind)).toEqual(['sandbox state', 'cache']);
    for (const { keeps } of kept) expect(keeps).toContain('has sandboxes');
    expect(filesLeft()).toEqual(
      expect.arrayContaining([path.join(...RECORD), '.cache/agentclash/sandbox/root/file']),
    );
  });
});

describe('a process that opens sandboxes', () => {
  test('its folders stay between two sandboxes, and are removed once it has ended', async () => {
    const folders = { ...fillHome(), controlGroups: [at('groups', 'agentclash')] };
    mkdirSync(at('groups', 'agentclash'), { recursive: true });
    const record = ['run', 'agentclash', 'sandbox', 'processes', `${process.pid}-${startOf(process.pid)}-1`];
    write(...record);
    const kept = (await removeAll(folders)).filter(({ removed }) => !removed);
    expect(kept.map(({ kind }) => kind)).toEqual(['sandbox state', 'control group', 'cache']);
    for (const { keeps } of kept) expect(keeps).toContain('opens some: end it');
    rmSync(at(...record));
    expect((await removeAll(folders)).filter(({ removed }) => !removed)).toEqual([]);
    expect(filesLeft()).toEqual(OTHERS);
  });

  test('the record of a dead process keeps nothing', async () => {
    const folders = fillHome();
    write('run', 'agentclash', 'sandbox', 'processes', `${process.pid}-1-1`);
    await removeAll(folders);
    expect(filesLeft()).toEqual(OTHERS);
  });
});

/** An ordinary user, since the folders of root are those of the machine and no test may remove them. */
const ORDINARY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe('agentclash uninstall', () => {
  /** Of a daemon that is not that of this machine: its responses by the ends of their paths. */
  let onDocker: Record<string, unknown> = {};
  const daemon = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    response.setHeader('Api-Version', '1.43');
    const [, found] = Object.entries(onDocker).find(([end]) => path.endsWith(end)) ?? [];
    const none = path.endsWith('/volumes') ? { Volumes: null } : [];
    response.end(JSON.stringify(path.endsWith('/version') ? { ApiVersion: '1.43' } : (found ?? none)));
  });
  let docker = '';
  beforeAll(async () => {
    await once(daemon.listen(0, '127.0.0.1'), 'listening');
    docker = `tcp://127.0.0.1:${(daemon.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    daemon.close();
  });
  afterEach(() => {
    onDocker = {};
  });

  let process_: ChildProcess | undefined;
  afterEach(async () => {
    if (process_?.exitCode === null && process_.kill('SIGKILL')) await once(process_, 'close');
    process_ = undefined;
  });

  async function uninstall(...words: string[]) {
    const child = spawn(process.execPath, [PROGRAM, 'uninstall', ...words], {
      ...ORDINARY,
      cwd: home,
      env: { HOME: home, XDG_RUNTIME_DIR: at('run'), DOCKER_HOST: docker },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  }

  function give(folder = home): void {
    chmodSync(folder, 0o777);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) give(path.join(folder, entry.name));
    }
  }

  test('a dry run names everything and removes nothing, --yes removes it, and a second time nothing is there', async () => {
    fillHome();
    give();
    const before = filesLeft();
    const dry = await uninstall('--dry-run', '--data', at('other-stack'), '--json');
    expect(dry).toMatchObject({ code: 0 });
    const { items, bytes } = JSON.parse(dry.stdout);
    expect(items.map((item: { path: string }) => path.relative(home, item.path))).toEqual([
      'other-stack',
      '.local/share/agentclash',
      'run/agentclash/sandbox',
      '.cache/agentclash',
      '.config/agentclash',
    ]);
    expect(bytes).toBeGreaterThan(0);
    expect(filesLeft()).toEqual(before);
    const unconfirmed = await uninstall();
    expect(unconfirmed).toMatchObject({ code: 64, stderr: expect.stringContaining('--yes confirms it') });
    expect(filesLeft()).toEqual(before);
    expect(await uninstall('--yes', '--data', at('other-stack'))).toMatchObject({ code: 0 });
    expect(filesLeft()).toEqual(OTHERS);
    const again = await uninstall('--dry-run');
    expect(again).toMatchObject({ code: 0, stdout: 'Nothing of AgentClash is on this machine.\n' });
  });

  test('a stack that runs is named with its process, and nothing is removed until it is stopped', async () => {
    fillHome();
    write(...RECORD);
    // As an executor does, it ends its sandboxes when it is stopped.
    const end = `fs.rmSync(${JSON.stringify(at(...RECORD))}); process.exit(0)`;
    const script = `process.on('SIGTERM', () => { ${end} }); setInterval(() => {}, 1000)`;
    process_ = spawn(process.execPath, ['-e', script], ORDINARY);
    const pid = process_.pid ?? 0;
    const state = { pid, processStart: startOf(pid), url: 'http://127.0.0.1:1', health: {} };
    writeFileSync(at('.local/share/agentclash/stack.json'), JSON.stringify(state));
    give();
    const before = filesLeft();
    const dry = await uninstall('--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ running: [{ pid, data: at('.local/share/agentclash') }] });
    const refused = await uninstall('--yes');
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining(`process ${pid}`) });
    expect(refused.stderr).toContain('--stop');
    expect(filesLeft()).toEqual(before);
    expect(process_.exitCode).toBeNull();
    const ended = once(process_, 'close');
    expect(await uninstall('--yes', '--stop', '--data', at('other-stack'))).toMatchObject({ code: 0 });
    await ended;
    expect(filesLeft()).toEqual(OTHERS);
  });

  test('a stack of another folder is named with its command, and stays until it is named', async () => {
    fillHome();
    const list = at('.config/agentclash/stacks.json');
    const folders = [at('.local/share/agentclash'), at('other-stack'), at('gone')];
    writeFileSync(list, JSON.stringify({ folders }));
    give();
    const { stays } = JSON.parse((await uninstall('--dry-run', '--json')).stdout);
    const command = `agentclash uninstall --data ${at('other-stack')}`;
    expect(stays.filter((line: string) => line.includes('the stack on'))).toEqual([
      expect.stringContaining(command),
    ]);
    expect(await uninstall('--yes')).toMatchObject({ code: 0, stderr: expect.stringContaining(command) });
    const stackFiles = ['other-stack/credentials.json', 'other-stack/postgres/base/1/2'];
    expect(filesLeft()).toEqual([...OTHERS, path.relative(home, list), ...stackFiles].sort());
    expect(await uninstall('--yes', '--data', at('other-stack'))).toMatchObject({ code: 0 });
    expect(filesLeft()).toEqual(OTHERS);
  });

  test('objects on a Docker daemon are named with the commands that remove them', async () => {
    fillHome();
    give();
    onDocker = {
      '/containers/json': [
        { Id: 'c1', Names: ['/agentclash-one'], ImageID: 'i', State: 'exited', Created: 1 },
      ],
      '/volumes': { Volumes: [{ Name: 'agentclash-inside-1' }] },
      '/images/json': [{ Id: 'sha256:1', RepoTags: ['debian:13', 'agentclash/pulled:1'] }],
      '/images/sha256:1/json': { Id: 'sha256:1', RepoTags: ['debian:13', 'agentclash/pulled:1'] },
    };
    const { stays } = JSON.parse((await uninstall('--dry-run', '--json')).stdout);
    expect(stays).toEqual([
      `1 container of sandboxes on ${docker}: docker rm --force --volumes agentclash-one`,
      `1 volume of sandboxes on ${docker}: docker volume rm agentclash-inside-1`,
      `1 image tag of sandboxes on ${docker}: docker image rm agentclash/pulled:1`,
    ]);
  });

  test('a Docker daemon that does not respond is named with the commands that list its objects', async () => {
    fillHome();
    give();
    const before = docker;
    docker = 'unix:///nowhere/docker.sock';
    const { stdout } = await uninstall('--dry-run', '--json').finally(() => {
      docker = before;
    });
    const { stays } = JSON.parse(stdout);
    expect(stays).toEqual([
      expect.stringContaining('docker ps --all --filter label=agentclash.dev/managed-by=agentclash-sandbox'),
    ]);
  });
});
