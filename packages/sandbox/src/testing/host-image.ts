import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { UnpackedImage, UnpackedImages } from '../bubblewrap/image-roots.js';
import { SandboxError } from '../sandbox-error.js';
import { imageArchive } from './docker/host-programs.js';

/** The image of `image-tests.ts` for providers that take directories: programs of this machine below one small layer. */
export class HostImage implements UnpackedImages {
  readonly reference = `host.invalid/image@sha256:${'1'.repeat(64)}`;
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'agentclash-image-'));
  readonly #layers: string[];

  private constructor() {
    this.#layers = ['system', 'files'].map((name) => path.join(this.#directory, name));
  }

  static async make(): Promise<HostImage> {
    const image = new HostImage();
    await image.#fill();
    return image;
  }

  async prepare(reference: string): Promise<UnpackedImage> {
    if (reference !== this.reference) {
      throw new SandboxError('invalid_image', `there is no image ${reference}`);
    }
    const env = { IMAGE_VARIABLE: 'of-the-image' };
    return { reference, digest: reference, env, bytes: 0, layers: this.#layers, release: () => {} };
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true });
  }

  async #fill(): Promise<void> {
    const [system = '', files = ''] = this.#layers;
    mkdirSync(system);
    // No hard links: another test that makes some of the same files would change them for this image, too.
    const tar = spawn('tar', ['--extract', '--directory', system], { stdio: ['pipe', 'ignore', 'inherit'] });
    const [[exitCode]] = await Promise.all([once(tar, 'exit'), pipeline(imageArchive(), tar.stdin)]);
    if (exitCode !== 0) throw new Error(`tar ended with ${exitCode}`);
    symlinkSync('/tmp', path.join(system, 'elsewhere'));
    mkdirSync(path.join(files, 'app/folder'), { recursive: true });
    for (const name of ['etc', 'usr/local/bin']) mkdirSync(path.join(files, name), { recursive: true });
    writeFileSync(path.join(files, 'app/greeting'), 'hello\n');
    writeFileSync(path.join(files, 'app/old'), 'old\n');
    writeFileSync(path.join(files, 'app/folder/kept'), 'kept\n');
    writeFileSync(path.join(files, 'etc/image-file'), 'image\n');
    writeFileSync(path.join(files, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nwww-data:x:33:33::/:/bin/sh\n');
  }
}
