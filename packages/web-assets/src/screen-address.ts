/** Addresses of the API and of files, never of a screen. */
const NO_SCREENS = /^\/(?:v1|healthz|readyz|metrics|docs|assets|workers)(?:[/?]|$)/;

/** True when an address may be that of a screen, which only the app can resolve. */
export function isScreenAddress(address: string): boolean {
  return !NO_SCREENS.test(address);
}

/**
 * The address to route. One that cannot be decoded would match no route: a screen's is passed on literally, and the app
 * shows that it does not exist.
 */
export function routableAddress(address: string): string {
  return isScreenAddress(address) && !isDecodable(address) ? address.replaceAll('%', '%25') : address;
}

function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}
