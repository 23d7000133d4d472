import { EmbeddedError } from '../error.js';

/** Of apt-get and apt-helper: the address and the reason. */
const FAILED_DOWNLOAD = /^[EW]: Failed to fetch (\S+)\s+(.+)$/;

/** A log of installations that remembers which downloads failed, and why. */
export class DownloadLog {
  /** The first reason of each source. */
  readonly #failures = new Map<string, string>();

  constructor(private readonly log: (line: string) => void) {}

  readonly line = (line: string): void => {
    const [, url = '', reason = ''] = FAILED_DOWNLOAD.exec(line) ?? [];
    const source = URL.canParse(url) ? new URL(url).host : '';
    if (source !== '' && !this.#failures.has(source)) this.#failures.set(source, reason);
    this.log(line);
  };

  /** Each as the source and the reason, such as `deb.debian.org: 404  Not Found`. */
  get failures(): string[] {
    return [...this.#failures].map(([source, reason]) => `${source}: ${reason}`);
  }
}

/** `failures`: of the downloads that were tried. */
export function notInstalled({
  failures = [],
  cause,
}: {
  failures?: readonly string[];
  cause?: unknown;
} = {}): EmbeddedError {
  const reasons = failures.length > 0 || cause === undefined ? failures : [reasonOf(cause)];
  const problem = 'There is no nats-server (2.9 or newer) on this machine';
  const proxy = 'Behind a proxy, set http_proxy=http://HOST:PORT and start again.';
  return new EmbeddedError(
    'not_installed',
    reasons.length === 0
      ? `${problem}.`
      : `${problem}, and it could not be downloaded (${reasons.join('; ')}).`,
    {
      hint: [
        ...(failures.length > 0 ? [proxy] : []),
        'Install it with:  sudo apt-get update && sudo apt-get install -y nats-server',
        'or put a nats-server from https://github.com/nats-io/nats-server/releases on the PATH.',
      ].join('\n'),
      cause,
    },
  );
}

function reasonOf(cause: unknown): string {
  const { code, path, message } = cause as NodeJS.ErrnoException;
  return code === 'ENOENT' && path !== undefined ? `this machine has no ${path}` : message;
}
