// Archives of the images that pods need, without a container engine: for clusters that load images instead of pulling
// them. `inside` holds one program and is the same as that of the Dockerfile; `sandbox` has the same Debian packages,
// without Node.js, and needs mmdebstrap.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  execFileSync('tar', ['--create', '--owner=0', '--group=0', '--file', layer, '--directory', root, 'inside']);
  return archiveOf(folder, name, layer);
}

/** Installs what the Dockerfile's `sandbox` has beside Node.js. */
export function sandboxArchive(folder, name) {
  const layer = path.join(folder, 'sandbox-layer.tar');
  const flags = ['--variant=minbase', '--include=bash,git,python3', '--quiet', 'bookworm', layer];
  execFileSync('mmdebstrap', flags, { stdio: 'inherit' });
  return archiveOf(folder, name, layer);
}

/** An image of one layer in the format of `docker save`, which every runtime imports. */
function archiveOf(folder, name, layer) {
  const digest = createHash('sha256').update(readFileSync(layer)).digest('hex');
  const config = {
    architecture: ARCHITECTURES[process.arch],
    os: 'linux',
    config: { Env: [`PATH=${PATH_INSIDE}`] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
  };
  const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: [path.basename(layer)] }];
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
  const archive = layer.replace('-layer.tar', '.tar');
  const files = ['config.json', 'manifest.json', path.basename(layer)];
  execFileSync('tar', ['--create', '--file', archive, '--directory', folder, ...files]);
  rmSync(layer);
  return archive;
}
