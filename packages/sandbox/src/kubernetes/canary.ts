import { randomBytes } from 'node:crypto';
import type { ResolvedSpec } from '../resolved-spec.js';
import type { HostDirectory } from '../spec.js';
import type { KubernetesApi } from './api.js';
import { ExecLink } from './exec-link.js';
import { CONTAINER, type KubernetesPod, LABEL } from './objects.js';
import type { KubernetesOptions } from './options.js';
import { podManifest } from './pod.js';
import type { PodManifest } from './pod-objects.js';
import { startPod } from './pods.js';

const START_MS = 120_000;
const OUTPUT_BYTES_MAX = 1 << 20;
const SPEC: ResolvedSpec = {
  limits: { cpu: 0.1, memoryBytes: 32 << 20, pids: 16, workspaceBytes: 1 << 20, outputBytes: 1024 },
  env: {},
  network: { kind: 'none' },
  directories: [],
  listeners: [],
  workingDirectory: '/workspace',
  readableRoots: ['/workspace'],
  writableRoots: ['/workspace'],
  workspaceRoots: ['/workspace'],
  stagedRoots: [],
  extraRoots: [],
  packages: [],
  labels: { runId: 'canary', attemptId: 'canary' },
  leaseMs: START_MS,
};

export function canaryName(): string {
  return `canary-${randomBytes(6).toString('hex')}`;
}

interface Canary {
  api: KubernetesApi;
  options: KubernetesOptions;
  name: string;
  directories?: readonly HostDirectory[];
  /** In place of the default one. */
  image?: string;
  signal?: AbortSignal;
}

/** Starts a small pod like that of a sandbox, for a check of the cluster. The caller removes it, also after a failure. */
export function startCanary({ signal, ...canary }: Canary): Promise<KubernetesPod> {
  const timeout = AbortSignal.timeout(canary.options.startTimeoutMs ?? START_MS);
  return startPod(canary.api, canaryPod(canary), {
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    image: canary.image,
  });
}

export function canaryPod({
  api,
  options,
  name,
  directories = [],
  image,
}: Omit<Canary, 'signal'>): PodManifest {
  const ofImage = image === undefined ? {} : { image: { reference: image, runAsRoot: false } };
  const spec = { ...SPEC, directories, ...ofImage };
  const manifest = podManifest({ name, spec, options, now: api.now() });
  const labels = { ...manifest.metadata.labels, [LABEL.role]: 'canary', [LABEL.owner]: name };
  return { ...manifest, metadata: { ...manifest.metadata, labels } };
}

/** The exit code of a command in a pod. */
export async function runInCanary(
  api: KubernetesApi,
  name: string,
  command: readonly string[],
): Promise<number | undefined> {
  return (await outputInCanary(api, name, command)).exitCode;
}

/** With what the command writes, up to the limit of an environment. */
export async function outputInCanary(
  api: KubernetesApi,
  name: string,
  command: readonly string[],
): Promise<{ exitCode: number | undefined; stdout: Buffer }> {
  const link = new ExecLink(await api.exec(name, CONTAINER, [...command]), () => {});
  const chunks: Buffer[] = [];
  let length = 0;
  link.onBytes((chunk) => {
    length += chunk.length;
    if (length <= OUTPUT_BYTES_MAX) chunks.push(chunk);
  });
  const { exitCode } = await link.ended;
  return { exitCode, stdout: Buffer.concat(chunks) };
}
