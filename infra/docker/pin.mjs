// `pnpm images:pin base`: queries the registry for the digest of the base image, and writes base.json, an input beside
// docker-bake.json: the same bytes at every build, independent of the tag.
// `pnpm images:pin release <registry> <new folder>`: queries the digests of the images that were pushed there, and of
// those of others, and writes a Kustomize component that names each of them by its digest, and a compose.yaml of that kind.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const EXIT_USAGE = 64;
const ALL_IN_ONE = 'agentclash/all-in-one';
const here = import.meta.dirname;
const read = (...parts) => readFileSync(path.join(here, ...parts), 'utf8');

const VERBS = { base, release };
const [verb = '', ...words] = process.argv.slice(2);
if (VERBS[verb]?.length !== words.length) {
  console.error('usage: pnpm images:pin base | release <registry> <new folder>');
  process.exit(EXIT_USAGE);
}
VERBS[verb](...words);

function base() {
  const [, image] = /^ARG NODE_IMAGE=(\S+)$/m.exec(read('Dockerfile'));
  const pinned = `${image}@${digestOf(image)}`;
  const file = path.join(here, 'base.json');
  writeFileSync(file, text({ target: { common: { args: { NODE_IMAGE: pinned } } } }));
  console.log(`${pinned}\nAdd --file ${path.relative(process.cwd(), file)} after docker-bake.json.`);
}

function release(registry, folder) {
  const { target } = JSON.parse(read('docker-bake.json'));
  const own = Object.values(target).flatMap(({ tags = [] }) => tags);
  const [, nats] = /image: (nats:\S+)/.exec(read('../k8s/components/nats/nats.yaml'));
  const pinned = own.map((tag) => {
    const [name] = tag.split(':');
    const newName = `${registry}/${name}`;
    return { name, newName, digest: digestOf(`${registry}/${tag}`), isVariant: tag.endsWith('-bubblewrap') };
  });
  const inPods = { SANDBOX_IMAGE: 'agentclash/sandbox', SANDBOX_INSIDE_IMAGE: 'agentclash/inside' };
  const pinOf = (image) => {
    const { newName, digest } = pinned.find(({ name }) => name === image);
    return `${newName}@${digest}`;
  };
  const settings = Object.entries(inPods).map(([variable, image]) => `${variable}=${pinOf(image)}`);
  const others = new Set([ALL_IN_ONE, ...Object.values(inPods)]);
  const images = pinned
    .filter(({ name, isVariant }) => !isVariant && !others.has(name))
    .map(({ name, newName, digest }) => ({ name, newName, digest }));
  mkdirSync(folder);
  const component = {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    images: [...images, { name: 'nats', digest: digestOf(nats) }],
    configMapGenerator: [
      { name: 'executor-settings', namespace: 'agentclash', behavior: 'merge', literals: settings },
    ],
  };
  writeFileSync(path.join(folder, 'kustomization.yaml'), text(component));
  const compose = read('compose.yaml').replace(/^( *image: ).*$/m, `$1${pinOf(ALL_IN_ONE)}`);
  writeFileSync(path.join(folder, 'compose.yaml'), compose);
  console.log(`Add ${folder} to the components of your overlay, or start ${folder}/compose.yaml.`);
}

/** Of the list of platforms, where an image has one: each node takes its own from it. */
function digestOf(image) {
  const words = ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest}}'];
  const { digest } = JSON.parse(execFileSync('docker', words, { encoding: 'utf8' }));
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`the registry names no digest of ${image}`);
  return digest;
}

/** JSON, which is YAML too. */
function text(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
