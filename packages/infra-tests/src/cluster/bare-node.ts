import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Container, Manifest, PodSpec } from '../manifests/manifest.js';

const TOKENS = '/var/run/secrets/kubernetes.io/serviceaccount';
const WRITABLE = 0o777;
const LABELS = { 'app.kubernetes.io/part-of': 'agentclash' };

interface Claim {
  name: string;
  namespace: string;
}

/** A node of this machine in a cluster without a service proxy, storage classes and a way to registries. */
export class BareNode {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'agentclash-volumes-'));

  constructor(
    /** At which pods reach servers of this machine. */
    readonly address: string,
    private readonly apiPort: string,
    /** In place of the images of PostgreSQL and NATS, which the node cannot pull. */
    private readonly serversImage: string,
  ) {
    chmodSync(this.#folder, 0o755);
  }

  /** The manifests as they run here, and volumes for their claims. */
  adapted(manifests: readonly Manifest[]): Manifest[] {
    const volumes = claimsOf(manifests).map((claim) => this.#volume(claim));
    return [...volumes, ...manifests.map((manifest) => this.#adaptedOne(manifest))];
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #adaptedOne(manifest: Manifest): Manifest {
    const pod = podOf(manifest);
    if (pod === undefined) return manifest;
    const containers = pod.containers.map((container): Container => {
      const image = /^(?:postgres|nats):/.test(container.image) ? this.serversImage : container.image;
      const more = manifest.metadata.name === 'sandbox-executor' ? this.#ofExecutor() : [];
      return { ...container, image, env: [...(container.env ?? []), ...more] };
    });
    return withPod(manifest, { ...pod, containers });
  }

  #ofExecutor(): { name: string; value: string }[] {
    return [
      // Sandboxes are to fit on a machine for tests, beside all services.
      { name: 'SANDBOX_CPU_REQUEST_SHARE', value: '0.05' },
      { name: 'SANDBOX_API_URL', value: `https://${this.address}:${this.apiPort}` },
      { name: 'SANDBOX_API_TOKEN_FILE', value: `${TOKENS}/token` },
      { name: 'SANDBOX_API_CA_FILE', value: `${TOKENS}/ca.crt` },
    ];
  }

  #volume({ name, namespace }: Claim): Manifest {
    const directory = path.join(this.#folder, name);
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, WRITABLE);
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `${path.basename(this.#folder)}-${name}`.toLowerCase(), labels: LABELS },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: '',
        claimRef: { namespace, name },
        hostPath: { path: directory, type: 'Directory' },
      },
    };
  }
}

interface Templates {
  volumeClaimTemplates?: { metadata: { name: string } }[];
}

function claimsOf(manifests: readonly Manifest[]): Claim[] {
  return manifests.flatMap(({ kind, metadata: { name, namespace = '' }, spec }) => {
    if (kind === 'PersistentVolumeClaim') return [{ name, namespace }];
    const { volumeClaimTemplates = [] } = (spec ?? {}) as Templates;
    return volumeClaimTemplates.map(({ metadata }) => ({ name: `${metadata.name}-${name}-0`, namespace }));
  });
}

interface Templated {
  template?: { spec?: PodSpec };
}

export function podOf({ spec }: Manifest): PodSpec | undefined {
  return (spec as Templated | undefined)?.template?.spec;
}

export function withPod(manifest: Manifest, pod: PodSpec): Manifest {
  const { template } = manifest.spec as Templated;
  return { ...manifest, spec: { ...manifest.spec, template: { ...template, spec: pod } } };
}
