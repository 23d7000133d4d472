/** An archive of Debian's, whose content the checksum fixes wherever it is downloaded from. */
export interface ReleaseArchive {
  url: string;
  sha256: string;
}

/** The oldest minor version that upstream still repairs; older ones work, down to VERSION_MIN, with a warning. */
const SUPPORTED_FROM = '2.14';
/** Debian's package of a current release, from the signed index of its suite. */
export const PINNED_VERSION = '2.15.1-1';

const POOL = 'http://deb.debian.org/debian/pool/main/n/nats-server';
const SHA256: Readonly<Record<string, readonly [architecture: string, sha256: string]>> = {
  x64: ['amd64', '31ef4ceaa84e8248d449e508472e3770c17c3695cb5cb0ee96e03912724ea884'],
  arm64: ['arm64', '68923b614b6b5594bbd63ffdce7258c2155ec448fb4cb7efd099bf9273eca128'],
};

/** That for a processor of Node.js (`process.arch`); undefined where none is pinned. */
export function pinnedArchive(processor: string): ReleaseArchive | undefined {
  const [architecture, sha256] = SHA256[processor] ?? [];
  if (architecture === undefined || sha256 === undefined) return undefined;
  return { url: `${POOL}/nats-server_${PINNED_VERSION}_${architecture}.deb`, sha256 };
}

/** The oldest version that the bus works with. */
export const VERSION_MIN = '2.9';

/** The version in the output of `nats-server --version`, such as `nats-server: v2.9.10`; undefined without one. */
export function versionIn(printed: string): string | undefined {
  return /\bv?(\d+\.\d+(?:\.\d+)?)/.exec(printed)?.[1];
}

/** Orders versions of digits and dots. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => text.split('.').map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A warning about a version that is no longer repaired; undefined of one that is. */
export function unsupportedNotice(version: string): string | undefined {
  if (compareVersions(version, SUPPORTED_FROM) >= 0) return undefined;
  return `nats-server ${version} gets no fixes any more: put ${SUPPORTED_FROM} or newer on the PATH, or start with access to deb.debian.org`;
}
