// Archives of the images that pods need, without a container engine: for clusters that load images instead of pulling
// them. `inside` holds one program and is the same as that of the Dockerfile; `sandbox` has the same Debian packages,
// without Node.js, and needs mmdebstrap; `case` is that with the files that tests of images expect; `builder` is the image
// of docs/kubernetes.md that builds Dockerfiles.
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

/** Has buildah and skopeo, and ids for the user namespace of a user without rights. */
export function builderArchive(folder, name) {
  const packages = ['buildah', 'skopeo', 'uidmap', 'ca-certificates', 'libcap2-bin'];
  const root = path.join(folder, 'builder');
  mkdirSync(path.join(root, 'etc'), { recursive: true });
  writeFileSync(
    path.join(root, 'etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nbuild:x:1000:1000::/tmp:/bin/sh\n',
  );
  for (const ids of ['subuid', 'subgid']) writeFileSync(path.join(root, 'etc', ids), 'build:100000:65536\n');
  const layer = path.join(folder, 'builder-layer.tar');
  tar(layer, root, ['etc']);
  return archiveOf(folder, name, { layers: [debianLayer(folder, packages, MAPPING), layer] });
}

/** In place of set-uid: root of a pod lacks what root needs to write such maps, the owner of a namespace does not. */
const MAPPING = [
  ['newuidmap', 'cap_setuid'],
  ['newgidmap', 'cap_setgid'],
].map(
  ([program, capability]) =>
    `--customize-hook=chroot "$1" sh -c 'chmod u-s /usr/bin/${program}; setcap ${capability}+ep /usr/bin/${program}'`,
);

/** Made once for each folder and list of packages. */
function debianLayer(folder, packages = ['bash', 'git', 'python3'], hooks = []) {
  const layer = path.join(folder, `${packages[0]}-debian-layer.tar`);
  if (existsSync(layer)) return layer;
  const flags = ['--variant=minbase', `--include=${packages.join()}`, ...hooks, '--quiet', 'bookworm', layer];
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
