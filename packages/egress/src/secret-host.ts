/** Whether a host is one of those named; `*` stands for any characters, `?` for one, letter case is ignored. */
export function isHostNamed(host: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matches(host.toLowerCase(), glob.toLowerCase()));
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
