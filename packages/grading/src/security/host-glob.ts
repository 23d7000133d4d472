/** Whether a host is the named one or fits a glob, in which `*` stands for any text. Case does not matter. */
export function matchesHost(glob: string, host: string): boolean {
  const [first = '', ...rest] = glob.toLowerCase().split('*');
  const name = host.toLowerCase();
  if (rest.length === 0) return name === first;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}
