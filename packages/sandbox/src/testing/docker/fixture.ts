import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tarOf } from '@agentclash/images/fixture';
import { expect } from '@jest/globals';
import type { DaemonAddress } from '../../docker/daemon-address.js';
import { Engine } from '../../docker/engine.js';
import { LABEL, MANAGER } from '../../docker/engine-objects.js';
import type { DockerOptions } from '../../docker/options.js';
import { createDockerProvider, type DockerProvider } from '../../docker/provider.js';
import { findProgram } from '../../host/config.js';
import { imageArchive } from './host-programs.js';

const START_MS = 30_000;
const POLL_MS = 100;
const REMOVAL_ROUNDS = 50;
const CGROUPS = '/sys/fs/cgroup';
const IMAGE = 'sandbox.invalid/host';

const INSTALL_DOCKER = 'apt-get install -y docker.io';

/** Why no Docker daemon can be started here; undefined where it can. */
export function withoutDocker(): string | undefined {
  if (process.getuid?.() !== 0) return 'starting a Docker daemon needs root';
  return findProgram('dockerd') ? undefined : `dockerd is not installed (${INSTALL_DOCKER})`;
}

/** A Docker daemon of this test alone, with folders of its own, and nothing of it left at the end. */
export class PrivateEngine {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'agentclash-docker-'));
  readonly address: DaemonAddress = {
    url: `unix://${this.directory}/docker.sock`,
    socketPath: path.join(this.directory, 'docker.sock'),
  };
  readonly engine = new Engine(this.address);
  readonly problems: string[] = [];
  #daemon: ChildProcess | undefined;
  /** Of its own, as a system has it: a daemon that is killed would take the one that it has started along. */
  #containerd: ChildProcess | undefined;
  #provider: DockerProvider | undefined;

  /** `settings`: of `daemon.json`; `subordinateIds`: a line of `/etc/subuid` that the daemon sees there. */
  constructor(
    settings: object = {},
    private readonly options: { subordinateIds?: string } = {},
  ) {
    chmodSync(this.directory, 0o711);
    writeFileSync(path.join(this.directory, 'daemon.json'), JSON.stringify(settings));
  }

  async start(): Promise<void> {
    const log = openSync(path.join(this.directory, 'log'), 'a');
    const at = (name: string) => path.join(this.directory, name);
    mkdirSync(at('data'), { recursive: true, mode: 0o711 });
    const { subordinateIds } = this.options;
    const stdio: StdioOptions = ['ignore', log, log];
    // In a mount namespace of its own the daemon starts its own.
    if (subordinateIds === undefined) {
      const config = ['--config', this.#containerdConfig()];
      this.#containerd ??= spawn(findProgram('containerd') ?? 'containerd', config, {
        stdio,
        detached: true,
      });
    }
    const [program = '', ...before] = this.#daemonCommand(subordinateIds);
    this.#daemon = spawn(
      program,
      [
        ...before,
        ...(subordinateIds === undefined ? ['--containerd', at('containerd.sock')] : []),
        ...['--config-file', at('daemon.json'), '--host', this.address.url, '--pidfile', at('pid')],
        ...['--data-root', at('data'), '--exec-root', at('exec'), '--cgroup-parent', this.#cgroup],
        ...['--bridge=none', '--iptables=false', '--ip-forward=false'],
      ],
      { stdio, detached: true },
    );
    closeSync(log);
    const deadline = performance.now() + START_MS;
    while (
      !(await this.engine.get('/info').then(
        () => true,
        () => false,
      ))
    ) {
      if (this.#daemon.exitCode !== null || performance.now() > deadline)
        throw new Error(`dockerd did not start: ${this.log()}`);
      await pause(POLL_MS);
    }
  }

  /** The image of programs of this machine, as the default image. */
  async importImage(): Promise<string> {
    const query = { fromSrc: '-', repo: IMAGE, tag: 'latest' };
    const body = imageArchive();
    for await (const { error } of this.engine.messages('POST', '/images/create', { query, body })) {
      if (error !== undefined) throw new Error(error);
    }
    return IMAGE;
  }

  /** The image of `image-tests.ts`: a layer on that of the programs. */
  async makeSuiteImage(): Promise<string> {
    const body = await tarOf([
      ...([
        { name: 'app/', type: 'directory' },
        { name: 'app/folder/', type: 'directory' },
      ] as const),
      { name: 'usr/local/bin/', type: 'directory' },
      { name: 'var/lib/dpkg/status', content: 'Package: suite\nStatus: install ok installed\n' },
      ...[
        { name: 'app/greeting', content: 'hello\n' },
        { name: 'app/old', content: 'old\n' },
      ],
      ...[
        { name: 'app/folder/kept', content: 'kept\n' },
        { name: 'etc/image-file', content: 'image\n' },
      ],
      { name: 'etc/passwd', content: 'root:x:0:0::/root:/bin/sh\nwww-data:x:33:33::/:/bin/sh\n' },
      { name: 'elsewhere', type: 'symlink', linkname: '/tmp' },
    ]);
    const name = 'suite-image';
    await this.engine.post('/containers/create', { query: { name }, body: { Image: IMAGE, Cmd: ['sh'] } });
    await this.engine.json('PUT', `/containers/${name}/archive`, { query: { path: '/' }, body });
    const query = {
      container: name,
      repo: 'suite.invalid/image',
      changes: 'ENV IMAGE_VARIABLE=of-the-image',
    };
    const { Id } = await this.engine.post<{ Id: string }>('/commit', { query, body: {} });
    await this.engine.json('DELETE', `/containers/${name}`);
    return `suite.invalid/image@${Id}`;
  }

  async open(options: Partial<DockerOptions> = {}): Promise<DockerProvider> {
    const onProblem = (message: string, cause?: unknown) =>
      this.problems.push(`${message}: ${String(cause)}`);
    const { address } = this;
    this.#provider = await createDockerProvider({
      address,
      image: IMAGE,
      owner: 'test',
      onProblem,
      ...options,
    });
    return this.#provider;
  }

  /** SIGKILL leaves the processes of containers: the next start of the daemon ends them. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = undefined;
    await end(daemon, signal);
  }

  /** Names of the containers that this provider has made. */
  async containers(): Promise<string[]> {
    const query = { all: '1', filters: JSON.stringify({ label: [`${LABEL.managedBy}=${MANAGER}`] }) };
    const found = await this.engine.get<{ Names: string[] }[]>('/containers/json', { query });
    return found.flatMap(({ Names }) => Names);
  }

  async expectNothingLeft(): Promise<void> {
    expect(await this.engine.get('/containers/json', { query: { all: '1' } })).toEqual([]);
    const { Volumes } = await this.engine.get<{ Volumes: { Name: string }[] | null }>('/volumes');
    const kept = (Volumes ?? [])
      .map(({ Name }) => Name)
      .filter((name) => !name.startsWith('agentclash-inside-'));
    expect(kept).toEqual([]);
  }

  /** Mounts and cgroups that the machine has of containers; a daemon without any has none. */
  remains(): string[] {
    const mounts = this.#mounts().filter((at) => /\/(merged|mounts\/shm|rootfs)$/.test(at));
    const cgroups = this.#cgroups().flatMap((parent) =>
      readdirSync(parent, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => path.join(parent, name)),
    );
    return [...mounts, ...cgroups];
  }

  async close(): Promise<void> {
    await this.#provider?.close();
    try {
      await this.expectNothingLeft();
    } finally {
      await this.remove();
    }
  }

  /** Also what is left of a daemon that was killed, or did not start. */
  async remove(): Promise<void> {
    await this.stop();
    await end(this.#containerd, 'SIGTERM');
    for (let rounds = 0; rounds < REMOVAL_ROUNDS && this.#killAll() > 0; rounds++) await pause(POLL_MS);
    const mounts = this.#mounts();
    if (mounts.length > 0) execFileSync('umount', mounts.reverse());
    this.#removeCgroups();
    rmSync(this.directory, { recursive: true, force: true });
  }

  log(): string {
    const file = path.join(this.directory, 'log');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-20).join('\n') : '';
  }

  get #cgroup(): string {
    return `/${path.basename(this.directory)}`;
  }

  /** The processes that name this folder, with their children: the first processes of containers name none. */
  #killAll(): number {
    const killed = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => Number(pid) !== process.pid && argvOf(pid).includes(`${this.directory}/`));
    for (const pid of killed.flatMap((each) => [...childrenOf(each), each])) kill(Number(pid));
    return killed.length;
  }

  #daemonCommand(subordinateIds: string | undefined): string[] {
    const dockerd = findProgram('dockerd') ?? 'dockerd';
    if (subordinateIds === undefined) return [dockerd];
    const file = path.join(this.directory, 'subordinate-ids');
    writeFileSync(file, `${subordinateIds}\n`);
    const script = 'mount --bind "$1" /etc/subuid && mount --bind "$1" /etc/subgid && shift && exec "$@"';
    return ['unshare', '--mount', 'sh', '-c', script, 'sh', file, dockerd];
  }

  #containerdConfig(): string {
    const at = (name: string) => JSON.stringify(path.join(this.directory, name));
    const file = path.join(this.directory, 'containerd.toml');
    const lines = ['version = 2', `root = ${at('containerd/root')}`, `state = ${at('containerd/state')}`];
    lines.push(
      'disabled_plugins = ["io.containerd.grpc.v1.cri"]',
      '[grpc]',
      `address = ${at('containerd.sock')}`,
    );
    writeFileSync(file, lines.join('\n'));
    return file;
  }

  #mounts(): string[] {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return lines.filter((line) => line.includes(this.directory)).map((line) => line.split(' ')[4] ?? '');
  }

  #cgroups(): string[] {
    return ['', ...readdirSync(CGROUPS)]
      .map((name) => path.join(CGROUPS, name, this.#cgroup))
      .filter((parent) => existsSync(parent));
  }

  #removeCgroups(): void {
    for (const parent of this.#cgroups())
      execFileSync('find', [parent, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
  }
}

async function end(process: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (process === undefined || process.exitCode !== null) return;
  const ended = once(process, 'exit');
  process.kill(signal);
  await ended;
}

function argvOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function childrenOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter((each) => each !== '');
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}
