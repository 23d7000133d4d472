import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { SandboxError } from '../sandbox-error.js';

/** Address and credentials of a cluster's API. */
export interface ApiAccess {
  /** Such as `https://10.0.0.1:443`. */
  url: string;
  /** Called before each request: tokens of pods are replaced every hour. */
  token?: () => Promise<string>;
  /** The cluster's certificate authority in PEM. */
  ca?: string;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The access of the pod that this process runs in. Throws `unavailable` outside a cluster. */
export async function podAccess(): Promise<ApiAccess> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = process.env;
  try {
    if (host === undefined) throw new Error('KUBERNETES_SERVICE_HOST is not set');
    const ca = await readFile(path.join(SERVICE_ACCOUNT, 'ca.crt'), 'utf8');
    const token = async () => (await readFile(path.join(SERVICE_ACCOUNT, 'token'), 'utf8')).trim();
    return { url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`, ca, token };
  } catch (cause) {
    const fix = 'run in a pod with a service account, or name the API server';
    throw new SandboxError('unavailable', 'this process is in no Kubernetes pod', { cause, fix });
  }
}
