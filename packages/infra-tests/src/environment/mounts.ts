import { ofKind } from '../manifests/kinds.js';
import type { Container, Manifest, PodSpec } from '../manifests/manifest.js';
import { dataOf } from './resolve.js';

/** The keys of a secret that cert-manager writes. */
const CERTIFICATE_KEYS = ['ca.crt', 'tls.crt', 'tls.key'];

interface Named {
  container: Container;
  path: string;
}

/** True when the innermost mount above a path is a volume without fixed files, or has a file of that name. */
export function isMounted(manifests: readonly Manifest[], pod: PodSpec, { container, path }: Named): boolean {
  const [mount] = (container.volumeMounts ?? [])
    .filter(({ mountPath }) => `${path}/`.startsWith(`${mountPath}/`))
    .sort((a, b) => b.mountPath.length - a.mountPath.length);
  if (mount === undefined) return false;
  const files = filesOf(manifests, pod, mount.name);
  return files === undefined || files.includes(path.slice(mount.mountPath.length + 1));
}

/** The files of a volume that is made of keys; undefined where the manifests do not define them. */
function filesOf(manifests: readonly Manifest[], pod: PodSpec, name: string): string[] | undefined {
  const { secret, configMap } = pod.volumes?.find((volume) => volume.name === name) ?? {};
  if (configMap) return Object.keys(dataOf(manifests, 'ConfigMap', configMap.name));
  if (secret === undefined) return undefined;
  const keys = keysOf(manifests, secret.secretName);
  return (
    secret.items?.filter(({ key }) => keys === undefined || keys.includes(key)).map(({ path }) => path) ??
    keys
  );
}

/** The keys of a secret in the manifests, or of one that an operator creates from them. */
function keysOf(manifests: readonly Manifest[], secret: string): string[] | undefined {
  const own = ofKind(manifests, 'Secret').find(({ metadata }) => metadata.name === secret);
  if (own) return Object.keys(own.data);
  const external = ofKind(manifests, 'ExternalSecret').find(({ spec }) => spec.target.name === secret);
  if (external) return external.spec.data.map(({ secretKey }) => secretKey);
  const isCertificate = ofKind(manifests, 'Certificate').some(({ spec }) => spec.secretName === secret);
  return isCertificate ? CERTIFICATE_KEYS : undefined;
}
