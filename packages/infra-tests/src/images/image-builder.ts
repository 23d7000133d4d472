import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { npmInstall } from '@agentclash/testkit/npm-install';
import { repository } from '../repository.js';
import { nodeVersionOf } from './dockerfile.js';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 << 20;
const DOCKER = path.join(repository, 'infra/docker');
const NPM_VERSION = '11.21.2';
const CA_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const SNAPSHOT = /^http:\/\/snapshot\.debian\.org\/archive\/([\w-]+)\/\w+/;
const ARCHIVE = 'deb.debian.org';
const BAD_GATEWAY = 502;

/** The files of a built image and the configuration that a container of it starts with. */
export interface Image {
  root: string;
  environment: Readonly<Record<string, string>>;
  workingDirectory: string;
  user: string;
  command: readonly string[];
  /** The name in the builder's own storage. */
  tag: string;
}

export interface BuildOptions {
  /** A stage of the Dockerfile. */
  target: string;
  args: Readonly<Record<string, string>>;
}

/** Why this machine cannot build images; undefined where it can. */
export function missingForImages(): string | undefined {
  if (process.getuid?.() !== 0) return 'building images needs root';
  const missing = ['buildah', 'mmdebstrap'].filter((name) => spawnSync(name, ['--version']).status !== 0);
  const names = missing.join(' ');
  return missing.length === 0 ? undefined : `building images needs ${names}: apt-get install ${names}`;
}

/**
 * Builds the Dockerfile with buildah, without a registry: the base image is made from Debian's packages and the
 * Node.js of npm under the name that the Dockerfile has for it. Images and caches stay in the folder.
 */
export class ImageBuilder {
  #images = 0;

  private constructor(private readonly folder: string) {}

  /** Makes the base image, whose apt reads `snapshot.debian.org` through the mirror. */
  static async open(folder: string, baseImage: string, mirror: DebianMirror): Promise<ImageBuilder> {
    const builder = new ImageBuilder(folder);
    const context = path.join(folder, 'base');
    mkdirSync(context, { recursive: true });
    const packages = [`node-linux-${process.arch}@${nodeVersionOf(baseImage)}`, `npm@${NPM_VERSION}`];
    await npmInstall(context, packages);
    const debian = ['--variant=minbase', '--include=ca-certificates', '--quiet', 'bookworm'];
    await run('mmdebstrap', [...debian, path.join(context, 'debian.tar')], { maxBuffer: OUTPUT_BYTES_MAX });
    copyFileSync(CA_CERTIFICATES, path.join(context, 'ca-certificates.crt'));
    writeFileSync(path.join(context, 'mirror'), mirror.aptConfiguration);
    writeFileSync(path.join(context, 'Dockerfile'), baseDockerfile());
    await builder.#build(['--tag', baseImage, context]);
    return builder;
  }

  /** Builds a stage and copies its files into a folder. Throws with the output of the step that failed. */
  async build({ target, args }: BuildOptions): Promise<Image> {
    this.#images += 1;
    const root = path.join(this.folder, `${target}-${this.#images}`);
    const tag = `localhost/agentclash-${target}-${this.#images}`;
    await this.#build([
      '--pull-never',
      ...['--file', path.join(DOCKER, 'Dockerfile')],
      ...['--ignorefile', path.join(DOCKER, 'Dockerfile.dockerignore')],
      ...['--target', target],
      ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
      ...['--output', `type=local,dest=${root}`],
      ...['--tag', tag, repository],
    ]);
    return { root, tag, ...(await this.#configOf(tag)) };
  }

  /** Builds the Dockerfile of a folder; returns the name in this builder's storage. */
  async buildFolder(folder: string): Promise<string> {
    this.#images += 1;
    const tag = `localhost/agentclash-folder-${this.#images}`;
    await this.#build(['--pull-never', '--tag', tag, folder]);
    return tag;
  }

  /** Writes an archive of an image as `docker save` does, in which it has this name. */
  async archive(tag: string, name: string, file: string): Promise<void> {
    await this.#buildah(['push', '--quiet', tag, `docker-archive:${file}:${name}`]);
  }

  async #configOf(tag: string): Promise<Omit<Image, 'root' | 'tag'>> {
    const { OCIv1 } = JSON.parse(await this.#buildah(['inspect', '--type', 'image', tag])) as {
      OCIv1: { config: ImageConfig };
    };
    const { Env = [], WorkingDir = '/', User = '', Entrypoint = [], Cmd = [] } = OCIv1.config;
    const environment = Object.fromEntries(
      Env.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
    return { environment, workingDirectory: WorkingDir, user: User, command: [...Entrypoint, ...Cmd] };
  }

  #build(words: readonly string[]): Promise<string> {
    return this.#buildah(['build', '--isolation', 'chroot', ...words]);
  }

  /** In a mount namespace of its own, so that no mount of a build remains; cache mounts are kept below TMPDIR. */
  async #buildah([command = '', ...words]: readonly string[]): Promise<string> {
    const store = ['--root', path.join(this.folder, 'store'), '--runroot', path.join(this.folder, 'run')];
    try {
      const buildah = ['env', `TMPDIR=${this.folder}`, 'buildah', ...store, command, ...words];
      const { stdout } = await run('unshare', ['--mount', ...buildah], { maxBuffer: OUTPUT_BYTES_MAX });
      return stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`buildah ${command} failed:\n${stdout}${stderr}`.slice(-8_000), { cause: error });
    }
  }
}

interface ImageConfig {
  Env?: string[];
  WorkingDir?: string;
  User?: string;
  Entrypoint?: string[];
  Cmd?: string[];
}

/**
 * Serves requests of apt for `snapshot.debian.org` from Debian's current archive, because the snapshots are not reachable
 * from every network. The day of the packages is therefore not that of the Dockerfile.
 */
export class DebianMirror {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<DebianMirror> {
    const server = createServer((request, response) => {
      const url = (request.url ?? '').replace(SNAPSHOT, `http://${ARCHIVE}/$1`);
      const forwarded = get(url, { headers: { ...request.headers, host: ARCHIVE } }, (upstream) => {
        response.writeHead(upstream.statusCode ?? BAD_GATEWAY, upstream.headers);
        upstream.pipe(response);
      });
      forwarded.on('error', () => response.writeHead(BAD_GATEWAY).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new DebianMirror(server);
  }

  get aptConfiguration(): string {
    const { port } = this.server.address() as AddressInfo;
    return `Acquire::http::Proxy::snapshot.debian.org "http://127.0.0.1:${port}";\n`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function baseDockerfile(): string {
  return [
    'FROM scratch',
    'ADD debian.tar /',
    `COPY node_modules/node-linux-${process.arch}/bin/node /usr/local/bin/node`,
    'COPY node_modules/npm /usr/local/lib/node_modules/npm',
    `COPY ca-certificates.crt ${CA_CERTIFICATES}`,
    'COPY mirror /etc/apt/apt.conf.d/90mirror',
    'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    `ENV NODE_EXTRA_CA_CERTS=${CA_CERTIFICATES}`,
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
    'RUN useradd --user-group --uid 1000 --create-home node',
    '',
  ].join('\n');
}
