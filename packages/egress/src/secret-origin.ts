import type { ReadUrl } from './url.js';

const PATTERN = /^(?<scheme>\*|https?):\/\/(?<host>.+):(?<port>\*|\d+)$/i;

/**
 * Whether an address is of one of the origins that a secret is bound to: each `scheme://host:port`, where scheme and
 * port may be `*` for any. In hosts `*` stands for any characters, `?` for one, and letter case is ignored.
 */
export function isOriginAdmitted({ url, host, port }: ReadUrl, origins: readonly string[]): boolean {
  return origins.some((origin) => {
    const named = PATTERN.exec(origin)?.groups;
    if (named?.scheme === undefined || named.host === undefined) return false;
    if (named.scheme !== '*' && `${named.scheme.toLowerCase()}:` !== url.protocol) return false;
    if (named.port !== '*' && Number(named.port) !== port) return false;
    return matches(host.toLowerCase(), named.host.toLowerCase().replace(/^\[(.*)\]$/, '$1'));
  });
}

// Backtracks to the last star only, so the time is at most host × glob.
function matches(host: string, glob: string): boolean {
  let [at, inGlob, star, resume] = [0, 0, -1, 0];
  while (at < host.length) {
    if (glob[inGlob] === '*') {
      star = inGlob++;
      resume = at;
    } else if (glob[inGlob] === '?' || glob[inGlob] === host[at]) {
      inGlob++;
      at++;
    } else if (star >= 0) {
      inGlob = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  return /^\**$/.test(glob.slice(inGlob));
}
