/** Below these an address is the API's or a file's, never a screen's. */
const NO_SCREENS = /^\/(?:v1|healthz|readyz|metrics|docs|assets|workers)(?:[/?]|$)/;

/** Whether an address may be that of a screen, which only the app knows. */
export function isScreenAddress(address: string): boolean {
  return !NO_SCREENS.test(address);
}

/** An address that cannot be decoded reaches no route: as a screen's it is taken as it is written, and the app says that there is none. */
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
