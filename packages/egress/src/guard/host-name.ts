import { isIP } from 'node:net';

const METADATA_NAMES = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]);

const LABEL_LENGTH_MAX = 63;
const NAME_LENGTH_MAX = 253;

/** The host of a parsed URL: an address without brackets, or a name without the dot that ends an absolute one. */
export function hostOf(url: URL): string {
  const { hostname } = url;
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}

export function isWellFormedName(name: string): boolean {
  return (
    name.length <= NAME_LENGTH_MAX &&
    name.split('.').every((label) => label.length > 0 && label.length <= LABEL_LENGTH_MAX)
  );
}

export function isMetadataName(name: string): boolean {
  return METADATA_NAMES.has(name);
}

export function isLocalhost(name: string): boolean {
  return isAtOrBelow(name, 'localhost');
}

export function isAtOrBelow(name: string, ancestor: string): boolean {
  return name === ancestor || name.endsWith(`.${ancestor}`);
}

/** A name as a parsed URL would spell it (lower case, punycode); undefined when it is no name. */
export function canonicalName(text: string): string | undefined {
  if (!/^[^\s/?#@:\\[\]%]+$/.test(text) || !URL.canParse(`http://${text}/`)) return undefined;
  const host = hostOf(new URL(`http://${text}/`));
  return isIP(host) === 0 && isWellFormedName(host) ? host : undefined;
}
