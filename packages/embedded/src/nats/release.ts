/** An archive of Debian's, whose content the checksum fixes wherever it is downloaded from. */
export interface ReleaseArchive {
  url: string;
  sha256: string;
}

/** The oldest minor version that upstream still repairs; older ones work, down to VERSION_MIN, with a warning. */
export const SUPPORTED_FROM = '2.14';
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
