import { findToken } from './token-store.js';

const ADDRESS = '/v1/whoami';

const token = findToken();
let response = token === null ? undefined : requestWhoami(token);

function requestWhoami(token: string): Promise<Response> {
  const early = fetch(ADDRESS, { headers: { authorization: `Bearer ${token}` } });
  // Whoever takes the answer hears of a failure.
  early.catch(() => undefined);
  return early;
}

/**
 * `fetch`, but that whose token is stored was asked while the app was still being loaded: the first to ask that of the
 * same token gets this answer.
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
