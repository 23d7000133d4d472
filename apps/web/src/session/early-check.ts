import { findToken } from './token-store.js';

const ADDRESS = '/v1/whoami';

const token = findToken();
let response = token === null ? undefined : requestWhoami(token);

function requestWhoami(token: string): Promise<Response> {
  const early = fetch(ADDRESS, { headers: { authorization: `Bearer ${token}` } });
  // The caller that uses the response handles the failure.
  early.catch(() => undefined);
  return early;
}

/**
 * `fetch` that reuses the response of the session check, which is sent while the app is loading, for the first request
 * with the same token.
 */
export function earlyFetch(ofToken: string): typeof fetch {
  return (input, init) => {
    if (response === undefined || ofToken !== token || new URL(String(input)).pathname !== ADDRESS) {
      return fetch(input, init);
    }
    const early = response;
    response = undefined;
    return early;
  };
}
