import { randomBytes } from 'node:crypto';
import type { ResolvedSpec } from '../resolved-spec.js';
import type { HostDirectory } from '../spec.js';
import type { KubernetesApi } from './api.js';
import { ExecLink } from './exec-link.js';
import { LABEL } from './objects.js';
import type { KubernetesOptions } from './options.js';
import { CONTAINER, podManifest } from './pod.js';
import { startPod } from './pods.js';

const START_MS = 120_000;
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
}

/** Starts a small pod like that of a sandbox, for a check of the cluster. The caller removes it, also after a failure. */
export async function startCanary({ api, options, name, directories = [] }: Canary): Promise<void> {
  const spec = { ...SPEC, directories };
  const manifest = podManifest({ name, spec, options, now: api.now() }) as {
    metadata: { labels: Record<string, string> };
  };
  const labels = { ...manifest.metadata.labels, [LABEL.role]: 'canary', [LABEL.owner]: name };
  const pod = { ...manifest, metadata: { ...manifest.metadata, labels } };
  await startPod(api, pod, AbortSignal.timeout(options.startTimeoutMs ?? START_MS));
}

/** The exit code of a command in a pod. */
export async function runInCanary(
  api: KubernetesApi,
  name: string,
  command: readonly string[],
): Promise<number | undefined> {
  const socket = await api.exec(name, CONTAINER, [...command]);
  return (await new ExecLink(socket, () => {}).ended).exitCode;
}
