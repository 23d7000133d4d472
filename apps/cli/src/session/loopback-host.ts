/** True for the names and addresses of this machine alone, also as URLs write them. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}
