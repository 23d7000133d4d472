// `pnpm kubernetes:check <overlay> [flags of kubectl]`: which kinds of an overlay the cluster does not have, what brings
// each, and which component to leave out instead. Changes nothing. Ends with 0 when the cluster has all, 1 when it lacks
// some, 2 when the overlay or the cluster cannot be read.
import { execFileSync } from 'node:child_process';

const EXIT = { missing: 1, unreadable: 2, usage: 64 };
const BYTES_MAX = 32 << 20;

/** By the group of an API: what serves it, and which parts of the manifests use it. */
const OPERATORS = {
  'keda.sh': ['KEDA', 'components/keda'],
  'monitoring.coreos.com': ['a Prometheus operator', 'infra/observability or components/hpa'],
  'cert-manager.io': ['cert-manager', 'components/nats-certificates'],
  'external-secrets.io': ['the External Secrets operator', 'components/external-secrets'],
};

const [overlay, ...flags] = process.argv.slice(2);
if (overlay === undefined) {
  console.error(
    'usage: pnpm kubernetes:check <folder of the overlay> [flags of kubectl, such as --context=name]',
  );
  process.exit(EXIT.usage);
}

const wanted = kindsOf(kubectl('kustomize', overlay));
// Fails where there is no cluster at all; a version that it lacks must not look like that.
kubectl('get', '--raw', '/version', ...flags);
const missing = wanted.filter(([apiVersion, kind]) => !kindsServed(apiVersion).has(kind));
for (const [apiVersion, kind] of missing)
  console.log(`missing: ${kind} (${apiVersion})${adviceFor(apiVersion)}`);
console.log(
  missing.length === 0
    ? `the cluster has all ${wanted.length} kinds of ${overlay}`
    : `the cluster lacks ${missing.length} of ${wanted.length} kinds of ${overlay}: nothing was applied`,
);
process.exit(missing.length === 0 ? 0 : EXIT.missing);

/** Pairs of version and kind, each once. Kustomize writes both at the beginning of lines. */
function kindsOf(text) {
  const pairs = text.split(/^---$/m).map((document) => {
    const field = (name) => new RegExp(`^${name}: (.+)$`, 'm').exec(document)?.[1] ?? '';
    return `${field('apiVersion')} ${field('kind')}`;
  });
  return [...new Set(pairs)].sort().map((pair) => pair.split(' '));
}

function kindsServed(apiVersion) {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  try {
    const { resources } = JSON.parse(kubectl('get', '--raw', path, ...flags));
    return new Set(resources.map(({ kind }) => kind));
  } catch (error) {
    if (/NotFound|not find the requested resource/.test(error.stderr ?? '')) return new Set();
    throw error;
  }
}

function adviceFor(apiVersion) {
  const operator = OPERATORS[apiVersion.split('/')[0]];
  return operator ? `: install ${operator[0]}, or leave out ${operator[1]}` : ': the cluster is too old';
}

function kubectl(...words) {
  try {
    return execFileSync('kubectl', words, {
      encoding: 'utf8',
      maxBuffer: BYTES_MAX,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    if (words[0] === 'get' && words[2] !== '/version') throw error;
    console.error(`kubectl ${words.join(' ')}: ${String(error.stderr ?? error.message).trim()}`);
    return process.exit(EXIT.unreadable);
  }
}
