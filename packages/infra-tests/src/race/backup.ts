import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { freePort } from '@agentclash/embedded';
import type { Manifest } from '../manifests/manifest.js';
import { repository } from '../repository.js';
import { DATABASE } from './servers.js';

/** The folder in which Debian installs each major version with its server and tools. */
const VERSIONS = '/usr/lib/postgresql';
const TOOLS = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'psql'];
/** The account that PostgreSQL is installed with; it refuses to run as root. */
const ACCOUNT = 'postgres';
const PASSWORDS = 'infra/k8s/overlays/dev/secrets/postgres.env';

/** The newest PostgreSQL of this machine that has a server and all tools of a backup. */
export function postgresTools(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  return versions
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => path.join(VERSIONS, version, 'bin'))
    .find((folder) => TOOLS.every((tool) => existsSync(path.join(folder, tool))));
}

/** A PostgreSQL outside of the installation, as in `prod`, for the commands of the guide. */
export class OutsidePostgres {
  private constructor(
    private readonly tools: string,
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** Starts a server with an empty database; `folder` must not exist. */
  static async start(tools: string, folder: string): Promise<OutsidePostgres> {
    const server = new OutsidePostgres(tools, folder, await freePort());
    mkdirSync(folder, { mode: 0o700 });
    if (process.getuid?.() === 0) chownSync(folder, idOf('-u'), idOf('-g'));
    server.#asAccount('initdb', '--username=admin', '--auth-local=trust', '--auth-host=scram-sha-256');
    const address = `-p ${server.port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
    server.#asAccount('pg_ctl', '-w', '-l', path.join(folder, 'log'), '-o', address, 'start');
    const create = `CREATE DATABASE ${DATABASE}`;
    execFileSync(path.join(tools, 'psql'), [server.#url('postgres'), '-qc', create]);
    return server;
  }

  stop(): void {
    this.#asAccount('pg_ctl', '-w', '-m', 'fast', 'stop');
  }

  /** Runs the block of docs/kubernetes.md that begins with this comment, with the passwords of `dev`. */
  runGuide(comment: string, backup: string): void {
    const guide = readFileSync(path.join(repository, 'docs/kubernetes.md'), 'utf8');
    const [, block] = new RegExp(`\`\`\`sh\\n( *# ${comment}\\n[\\s\\S]*?)\`\`\``).exec(guide) ?? [];
    if (block === undefined) throw new Error(`docs/kubernetes.md has no commands for: ${comment}`);
    this.#run(block, backup);
  }

  makeRoles(): void {
    this.#run('psql "$ADMIN_URL" -v ON_ERROR_STOP=1 -f infra/k8s/components/postgres/roles.sql');
  }

  /** The manifests with services that use this database. */
  reachedBy(manifests: readonly Manifest[]): Manifest[] {
    return manifests.map((manifest) => {
      const data = (manifest.kind === 'Secret' ? manifest.data : undefined) as
        | Record<string, string>
        | undefined;
      const url = data?.['database-url'];
      if (url === undefined) return manifest;
      const moved = Buffer.from(url, 'base64').toString().replace('postgres:5432', `127.0.0.1:${this.port}`);
      return { ...manifest, data: { ...data, 'database-url': Buffer.from(moved).toString('base64') } };
    });
  }

  #run(commands: string, backup = ''): void {
    const passwords = readFileSync(path.join(repository, PASSWORDS), 'utf8');
    const PATH = `${this.tools}:/usr/bin:/bin`;
    execFileSync('sh', ['-eu', '-c', commands], {
      cwd: repository,
      env: { ...parseEnv(passwords), PATH, ADMIN_URL: this.#url(DATABASE), BACKUP: backup },
    });
  }

  /** As the superuser, by the socket. */
  #url(database: string): string {
    return `postgresql://admin@/${database}?host=${this.folder}&port=${this.port}`;
  }

  #asAccount(tool: string, ...words: string[]): void {
    const isRoot = process.getuid?.() === 0;
    execFileSync(path.join(this.tools, tool), ['-D', path.join(this.folder, 'data'), ...words], {
      // The server outlives pg_ctl and would keep a pipe open.
      stdio: 'ignore',
      cwd: this.folder,
      ...(isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}),
    });
  }
}

function idOf(kind: '-u' | '-g'): number {
  return Number(execFileSync('id', [kind, ACCOUNT], { encoding: 'utf8' }));
}
