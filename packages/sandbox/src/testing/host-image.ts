import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { baseImage } from '../bubblewrap/base-image.js';
import type { UnpackedImage, UnpackedImages } from '../bubblewrap/image-roots.js';
import { SandboxError } from '../sandbox-error.js';

const run = promisify(execFile);

/** The image of `image-tests.ts` for providers that take directories: this machine's `/usr` below one small layer. */
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
    // Hard links: of the machine's own files, as a copy of them all would take minutes.
    await run('cp', ['--archive', '--link', '/usr', system]).catch(() =>
      run('cp', ['--archive', '/usr', system]),
    );
    for (const { name, target } of baseImage('/', this.#directory).links)
      symlinkSync(target, path.join(system, name));
    symlinkSync('/tmp', path.join(system, 'elsewhere'));
    mkdirSync(path.join(files, 'app/folder'), { recursive: true });
    mkdirSync(path.join(files, 'etc'));
    writeFileSync(path.join(files, 'app/greeting'), 'hello\n');
    writeFileSync(path.join(files, 'app/old'), 'old\n');
    writeFileSync(path.join(files, 'app/folder/kept'), 'kept\n');
    writeFileSync(path.join(files, 'etc/image-file'), 'image\n');
    writeFileSync(path.join(files, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nwww-data:x:33:33::/:/bin/sh\n');
  }
}
