import { SUPPORTED_FROM } from './release.js';

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
