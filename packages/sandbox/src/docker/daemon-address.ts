import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { SandboxError } from '../sandbox-error.js';

/** Where a Docker daemon listens, as options of `http.request` and `https.request`. */
export interface DaemonAddress {
  /** As in `DOCKER_HOST`, for messages. */
  url: string;
  /** A unix socket or a named pipe. */
  socketPath?: string;
  host?: string;
  port?: number;
  tls?: { ca?: Buffer; cert?: Buffer; key?: Buffer };
}

/** The variables of the Docker command line that name a daemon. */
export interface DaemonVariables {
  DOCKER_HOST?: string | undefined;
  DOCKER_TLS_VERIFY?: string | undefined;
  DOCKER_CERT_PATH?: string | undefined;
}

const PLAIN_PORT = 2375;
const TLS_PORT = 2376;

/** Throws `unavailable` for an address that cannot be used. */
export function daemonAddress(given: DaemonVariables, platform: string = process.platform): DaemonAddress {
  const url = given.DOCKER_HOST ?? defaultAddress(platform);
  const [, scheme = '', rest = ''] = /^(\w+):\/\/(.+)$/.exec(url) ?? [];
  if (scheme === 'unix') return { url, socketPath: rest };
  if (scheme === 'npipe') return { url, socketPath: rest.replaceAll('/', '\\') };
  if (['tcp', 'http', 'https'].includes(scheme) && URL.canParse(`http://${rest}`))
    return tcpAddress(url, given);
  const fix = 'set DOCKER_HOST to unix:///PATH, npipe:////./pipe/NAME or tcp://HOST:PORT';
  throw new SandboxError('unavailable', `DOCKER_HOST is not the address of a Docker daemon: ${url}`, { fix });
}

/** Docker Desktop has a socket in the home of its user. */
function defaultAddress(platform: string): string {
  if (platform === 'win32') return 'npipe:////./pipe/docker_engine';
  const ofMachine = '/var/run/docker.sock';
  const ofUser = path.join(homedir(), '.docker/run/docker.sock');
  return `unix://${!existsSync(ofMachine) && existsSync(ofUser) ? ofUser : ofMachine}`;
}

function tcpAddress(url: string, given: DaemonVariables): DaemonAddress {
  const isTls = url.startsWith('https:') || (given.DOCKER_TLS_VERIFY ?? '') !== '';
  const { hostname, port } = new URL(url.replace(/^tcp:/, 'http:'));
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = { url, host, port: port === '' ? (isTls ? TLS_PORT : PLAIN_PORT) : Number(port) };
  return isTls ? { ...address, tls: certificates(given) } : address;
}

/** The files that the Docker command line reads. */
function certificates({ DOCKER_CERT_PATH }: DaemonVariables): NonNullable<DaemonAddress['tls']> {
  const directory = DOCKER_CERT_PATH ?? path.join(homedir(), '.docker');
  const read = (name: string) => {
    const file = path.join(directory, name);
    return existsSync(file) ? readFileSync(file) : undefined;
  };
  const [ca, cert, key] = [read('ca.pem'), read('cert.pem'), read('key.pem')];
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}
