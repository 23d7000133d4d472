import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Prints a file, or fails: all that an image without anything else needs to show what it has. */
const SHOW = `#include <fcntl.h>
#include <unistd.h>
int main(int count, char **argument) {
  char text[4096];
  int fd = open(count > 1 ? argument[1] : "/usr/share/greeting", O_RDONLY);
  long length = fd < 0 ? -1 : read(fd, text, sizeof text);
  return length < 0 || write(1, text, length) != length;
}
`;

/** A tiny system and a server with packages for it, so that no network is needed. */
export class DebianFixture {
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'agentclash-debian-'));
  readonly root = path.join(this.#directory, 'image');
  /** Paths that were requested. */
  readonly requested: string[] = [];
  readonly #repository = path.join(this.#directory, 'repository');
  #server: Server | undefined;

  constructor() {
    chmodSync(this.#directory, 0o755);
    for (const name of ['usr/bin', 'etc/apt', 'var/lib/dpkg']) this.#mkdir(`image/${name}`);
    symlinkSync('usr/bin', path.join(this.root, 'bin'));
    this.#write('image/usr/share/original', 'of the image\n');
    this.install('base', '1');
    this.#compile('image/usr/bin/show');
    this.#mkdir('repository');
    this.#build('greeter', 'greeter-data (>= 2)', (at) => {
      this.#compile(`${at}/bin/greet`);
      chmodSync(path.join(this.#directory, at, 'bin/greet'), 0o4755);
      this.#write(`${at}/etc/greeter.conf`, 'loud\n');
      const registered = 'update-alternatives --install /usr/bin/welcome welcome /usr/bin/greet 5';
      this.#write(`${at}/DEBIAN/postinst`, `#!/bin/sh\ntouch ${this.#directory}/was-run\n${registered}\n`);
      chmodSync(path.join(this.#directory, at, 'DEBIAN/postinst'), 0o755);
    });
    this.#build('greeter-data', 'base', (at) => this.#write(`${at}/usr/share/greeting`, 'hello\n'));
    this.#build('stray', 'base', (at) => {
      this.#mkdir(`${at}/usr/share`);
      symlinkSync(this.#directory, path.join(this.#directory, at, 'usr/share/way-out'));
    });
    this.#build('follower', 'stray', (at) => this.#write(`${at}/usr/share/way-out/escaped`, 'x'));
  }

  get directory(): string {
    return this.#directory;
  }

  async start(): Promise<void> {
    this.#server = createServer(({ url = '' }, response) => {
      this.requested.push(url);
      try {
        response.end(readFileSync(path.join(this.#repository, decodeURIComponent(url))));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.#write('image/etc/apt/sources.list', `deb [trusted=yes] http://127.0.0.1:${port} ./\n`);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    server?.closeAllConnections();
    if (server?.listening) await new Promise((resolve) => server.close(resolve));
  }

  /** Writes the list of what the image has. */
  install(name: string, version: string): void {
    const status = `Package: ${name}\nStatus: install ok installed\nArchitecture: all\nVersion: ${version}\n\n`;
    this.#write('image/var/lib/dpkg/status', status);
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true });
  }

  #build(name: string, depends: string, fill: (at: string) => void): void {
    const at = `packages/${name}`;
    const control = `Package: ${name}\nVersion: 2\nArchitecture: all\nDepends: ${depends}\nMaintainer: x\nDescription: x\n`;
    this.#write(`${at}/DEBIAN/control`, control);
    fill(at);
    const target = path.join(this.#repository, `${name}_2_all.deb`);
    execFileSync('dpkg-deb', ['--build', '-Znone', path.join(this.#directory, at), target], {
      stdio: 'ignore',
    });
    const file = readFileSync(target);
    const sha256 = createHash('sha256').update(file).digest('hex');
    const entry = `${control}Filename: ./${path.basename(target)}\nSize: ${file.length}\nSHA256: ${sha256}\n\n`;
    appendFileSync(path.join(this.#repository, 'Packages'), entry);
  }

  #compile(target: string): void {
    this.#mkdir(path.dirname(target));
    execFileSync('cc', ['-static', '-x', 'c', '-', '-o', path.join(this.#directory, target)], {
      input: SHOW,
    });
  }

  #mkdir(name: string): void {
    mkdirSync(path.join(this.#directory, name), { recursive: true });
  }

  #write(name: string, text: string): void {
    this.#mkdir(path.dirname(name));
    writeFileSync(path.join(this.#directory, name), text);
  }
}
