// Archives of the images that pods need, without a container engine: for clusters that load images instead of pulling
// them. `inside` holds one program and is the same as that of the Dockerfile; `sandbox` has the same Debian packages,
// without Node.js, and needs mmdebstrap; `case` is that with the files that tests of images expect.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { repository } from '../bootstrap/setup/repository.mjs';

const PATH_INSIDE = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** Compiles the process inside, as the Dockerfile does, and returns the path of its archive in `folder`. */
export function insideArchive(folder, name) {
  const native = path.join(repository, 'packages/sandbox/native');
  const sources = readdirSync(native).filter((file) => file.endsWith('.c') && !file.startsWith('launcher'));
  const root = path.join(folder, 'inside');
  mkdirSync(root, { recursive: true });
  const flags = ['-std=gnu17', '-Os', '-s', '-static', '-o', path.join(root, 'inside')];
  execFileSync('cc', [...flags, ...sources], { cwd: native, stdio: 'inherit' });
  const layer = path.join(folder, 'inside-layer.tar');
  tar(layer, root, ['inside']);
  return archiveOf(folder, name, { layers: [layer] });
}

/** Installs what the Dockerfile's `sandbox` has beside Node.js. */
export function sandboxArchive(folder, name) {
  return archiveOf(folder, name, { layers: [debianLayer(folder)] });
}

/** The image that `packages/sandbox/src/conformance/image-tests.ts` describes. */
export function caseArchive(folder, name) {
  const root = path.join(folder, 'case');
  mkdirSync(path.join(root, 'app/folder'), { recursive: true });
  mkdirSync(path.join(root, 'etc'));
  writeFileSync(path.join(root, 'app/greeting'), 'hello\n');
  writeFileSync(path.join(root, 'app/old'), 'old\n');
  writeFileSync(path.join(root, 'app/folder/kept'), 'kept\n');
  writeFileSync(path.join(root, 'etc/image-file'), 'image\n');
  symlinkSync('/tmp', path.join(root, 'elsewhere'));
  for (const directory of ['', 'app', 'app/folder', 'etc']) chmodSync(path.join(root, directory), 0o755);
  const layer = path.join(folder, 'case-layer.tar');
  tar(layer, root, ['app', 'etc', 'elsewhere']);
  return archiveOf(folder, name, {
    layers: [debianLayer(folder), layer],
    env: ['IMAGE_VARIABLE=of-the-image'],
  });
}

/** Made once for each folder. */
function debianLayer(folder) {
  const layer = path.join(folder, 'debian-layer.tar');
  if (existsSync(layer)) return layer;
  const flags = ['--variant=minbase', '--include=bash,git,python3', '--quiet', 'bookworm', layer];
  execFileSync('mmdebstrap', flags, { stdio: 'inherit' });
  return layer;
}

function tar(file, root, entries) {
  const owner = ['--owner=0', '--group=0', '--sort=name'];
  execFileSync('tar', ['--create', ...owner, '--file', file, '--directory', root, ...entries]);
}

/** An image in the format of `docker save`, which every runtime imports. */
function archiveOf(folder, name, { layers, env = [] }) {
  const config = {
    architecture: ARCHITECTURES[process.arch],
    os: 'linux',
    config: { Env: [`PATH=${PATH_INSIDE}`, ...env] },
    rootfs: {
      type: 'layers',
      diff_ids: layers.map(
        (layer) => `sha256:${createHash('sha256').update(readFileSync(layer)).digest('hex')}`,
      ),
    },
  };
  const names = layers.map((layer) => path.basename(layer));
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(
    path.join(folder, 'manifest.json'),
    JSON.stringify([{ Config: 'config.json', RepoTags: [name], Layers: names }]),
  );
  const archive = path.join(folder, `${name.replace(/^.*\//, '').replace(':', '-')}.tar`);
  const files = ['config.json', 'manifest.json', ...names];
  execFileSync('tar', ['--create', '--file', archive, '--directory', folder, ...files]);
  return archive;
}
