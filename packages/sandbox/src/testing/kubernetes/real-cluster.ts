import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { KubernetesApi } from '../../kubernetes/api.js';
import { RECORDS } from '../../kubernetes/build-job.js';
import type { ApiAccess } from '../../kubernetes/config.js';
import type { DirectoriesClaim } from '../../kubernetes/directories-claim.js';
import { LABEL, MANAGER } from '../../kubernetes/objects.js';
import type { KubernetesOptions } from '../../kubernetes/options.js';
import { createKubernetesProvider, KubernetesProvider } from '../../kubernetes/provider.js';
import { SANDBOX_DEFINITION } from './sandbox-controller.js';

const run = promisify(execFile);
const MANIFESTS = path.resolve(import.meta.dirname, '../../../../../infra/k8s');
/** The sandboxes of an attempt that was cut off are gone after this time. */
const NAMESPACE_GONE_SECONDS = 60;

/** The variables that name the cluster to test, and the images its nodes have. */
export interface ClusterVariables {
  AGENTCLASH_TEST_KUBECONFIG?: string | undefined;
  AGENTCLASH_TEST_SANDBOX_IMAGE?: string | undefined;
  AGENTCLASH_TEST_INSIDE_IMAGE?: string | undefined;
  /** A directory of this machine that nodes have at the same path, for tests of directories. */
  AGENTCLASH_TEST_PACKAGES_DIR?: string | undefined;
  /** The image that the tests of images describe. */
  AGENTCLASH_TEST_IMAGE?: string | undefined;
}

/** A namespace of its own in the cluster of `AGENTCLASH_TEST_KUBECONFIG`. */
export class RealCluster {
  readonly namespace = `agentclash-test-${randomBytes(4).toString('hex')}`;
  #access: ApiAccess | undefined;
  #limited: ApiAccess | undefined;
  #definition: string | undefined;

  constructor(
    private readonly given: ClusterVariables,
    /** The security standard of ours: `baseline` where packs may have images. */
    private readonly standard: 'restricted' | 'baseline' = 'restricted',
  ) {}

  async start(): Promise<void> {
    this.#access = await accessOf(
      await this.#kubectl('config', 'view', '--raw', '--flatten', '--minify', '--output=json'),
    );
    await this.#kubectl('create', 'namespace', this.namespace);
    await this.#kubectl(
      'label',
      'namespace',
      this.namespace,
      `pod-security.kubernetes.io/enforce=${this.standard}`,
    );
    if (this.claim !== undefined) await this.#createClaim(this.claim);
  }

  get image(): string {
    return this.given.AGENTCLASH_TEST_IMAGE ?? '';
  }

  /** A claim on a directory of the node, where the environment names one. */
  get claim(): DirectoriesClaim | undefined {
    const directory = this.given.AGENTCLASH_TEST_PACKAGES_DIR;
    return directory === undefined ? undefined : { name: 'agent-packages', directory };
  }

  /** The capabilities depend on the real enforcement of network policies in the cluster. */
  open(options: Partial<KubernetesOptions> = {}): Promise<KubernetesProvider> {
    const access = this.#limited ?? this.#options().access;
    return createKubernetesProvider({ ...this.#options(), access, ...options });
  }

  /** Without the probe, so that the way through the stream can be tested where nothing enforces policies. */
  openAsEnforced(changes: Partial<KubernetesOptions> = {}): KubernetesProvider {
    const options = { ...this.#options(), ...changes };
    return new KubernetesProvider(this.#api(options), options, {
      enforcement: 'enforced',
      imageProblem: undefined,
    });
  }

  /** Its name. */
  async createRuntimeClass(handler: string): Promise<string> {
    const metadata = { name: this.namespace };
    await this.#create({ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata, handler });
    return metadata.name;
  }

  /** Defines the resource Sandbox until the end of the test. False: the cluster has it, and a controller. */
  async defineSandboxes(): Promise<boolean> {
    const { name } = SANDBOX_DEFINITION.metadata;
    if ((await this.#kubectl('get', 'crd', name, '--ignore-not-found')) !== '') return false;
    await this.#create(SANDBOX_DEFINITION);
    this.#definition = name;
    await this.#kubectl('wait', '--for=condition=Established', `crd/${name}`, '--timeout=30s');
    return true;
  }

  /** A namespace for jobs of builds, as the component image-builds makes it. Its name. */
  async startBuilds(): Promise<string> {
    const namespace = this.#builds;
    await this.#kubectl('create', 'namespace', namespace);
    await this.#kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=privileged');
    await this.#kubectl('create', 'configmap', RECORDS, '--namespace', namespace);
    return namespace;
  }

  /** From now on providers have the rights that the manifests give executors, and no others. */
  async limitRights(): Promise<void> {
    const account = 'sandbox-executor';
    await this.#kubectl('create', 'serviceaccount', account, '--namespace', this.namespace);
    for (const [file, namespace] of [
      ['base/sandboxes/executor-role.yaml', this.namespace],
      ['components/image-builds/executor-role.yaml', this.#builds],
    ] as const) {
      const text = (await readFile(path.join(MANIFESTS, file), 'utf8'))
        .replaceAll('namespace: agentclash-builds', `namespace: ${namespace}`)
        .replaceAll(/namespace: agentclash$/gm, `namespace: ${this.namespace}`);
      await this.#apply(text, namespace);
    }
    const token = await this.#kubectl('create', 'token', account, '--namespace', this.namespace);
    this.#limited = { ...this.#options().access, token: async () => token.trim() };
  }

  /** Jobs of builds, and their pods. */
  async buildsLeft(): Promise<unknown[]> {
    const api = this.api().in(this.#builds);
    const left = await Promise.all([api.list('jobs', ''), api.list('pods', '')]).finally(() => api.close());
    return left.flat();
  }

  async sandboxes(): Promise<unknown[]> {
    const api = this.api();
    return await api.list('sandboxes', '').finally(() => api.close());
  }

  api(): KubernetesApi {
    return this.#api(this.#options());
  }

  get #builds(): string {
    return `${this.namespace}-builds`;
  }

  runtimeClassOf(pod: string): Promise<string> {
    return this.#ofPod(pod, 'spec.runtimeClassName');
  }

  uidOf(pod: string): Promise<string> {
    return this.#ofPod(pod, 'metadata.uid');
  }

  #ofPod(pod: string, path: string): Promise<string> {
    return this.#kubectl('get', 'pod', pod, '--namespace', this.namespace, `--output=jsonpath={.${path}}`);
  }

  async expectNothingLeft(): Promise<void> {
    const api = this.#api(this.#options());
    try {
      expect(await api.listPods(`${LABEL.managedBy}=${MANAGER}`)).toEqual([]);
    } finally {
      await api.close();
      const flags = ['--ignore-not-found', `--timeout=${NAMESPACE_GONE_SECONDS}s`];
      await this.#kubectl('delete', 'namespace', this.namespace, this.#builds, ...flags);
      if (this.#definition !== undefined) await this.#kubectl('delete', 'crd', this.#definition);
      for (const kind of ['persistentvolume', 'runtimeclass'])
        await this.#kubectl('delete', kind, this.namespace, '--ignore-not-found');
    }
  }

  #options(): KubernetesOptions & { access: ApiAccess } {
    if (!this.#access) throw new Error('the cluster is not started');
    return {
      namespace: this.namespace,
      image: this.given.AGENTCLASH_TEST_SANDBOX_IMAGE ?? 'docker.io/agentclash/sandbox:0.1.0',
      insideImage: this.given.AGENTCLASH_TEST_INSIDE_IMAGE ?? 'docker.io/agentclash/inside:0.1.0',
      insidePath: '/inside',
      owner: 'conformance',
      imagePullPolicy: 'IfNotPresent',
      // Sandboxes by the dozen are to fit on a machine for tests.
      cpuRequestShare: 0.05,
      uids: { first: 100_000, last: 165_535 },
      directories: this.claim,
      access: this.#access,
      onProblem: (message, cause) => process.stderr.write(`${message}: ${String(cause)}\n`),
    };
  }

  #api({ access, namespace }: { access: ApiAccess; namespace: string }): KubernetesApi {
    return new KubernetesApi(access, namespace);
  }

  /** Pods read the volume; this process writes its directory. */
  async #createClaim({ name, directory }: DirectoriesClaim): Promise<void> {
    const storage = '1Gi';
    const bound = { storageClassName: '', accessModes: ['ReadOnlyMany'] };
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: this.namespace },
      spec: {
        ...bound,
        capacity: { storage },
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: this.namespace, name },
        hostPath: { path: directory, type: 'Directory' },
      },
    };
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace: this.namespace, name },
      spec: { ...bound, volumeName: this.namespace, resources: { requests: { storage } } },
    };
    for (const object of [volume, claim]) await this.#create(object);
  }

  #create(object: object): Promise<void> {
    return this.#apply(JSON.stringify(object));
  }

  async #apply(manifests: string, namespace?: string): Promise<void> {
    const within = namespace === undefined ? [] : ['--namespace', namespace];
    const running = run('kubectl', [...this.#flags(), 'create', ...within, '--filename=-']);
    running.child.stdin?.end(manifests);
    await running;
  }

  #flags(): string[] {
    return ['--kubeconfig', this.given.AGENTCLASH_TEST_KUBECONFIG ?? ''];
  }

  async #kubectl(...argv: string[]): Promise<string> {
    const { stdout } = await run('kubectl', [...this.#flags(), ...argv]);
    return stdout;
  }
}

interface KubeConfig {
  clusters: { cluster: { server: string; 'certificate-authority-data'?: string } }[];
  users: { user: { token?: string } }[];
}

function accessOf(text: string): ApiAccess {
  const { clusters, users } = JSON.parse(text) as KubeConfig;
  const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
  const { token } = user ?? {};
  if (!cluster || token === undefined) {
    throw new Error('the current context of the kubeconfig needs a cluster and a user with a token');
  }
  const ca = cluster['certificate-authority-data'];
  return {
    url: cluster.server,
    token: async () => token,
    ...(ca !== undefined && { ca: Buffer.from(ca, 'base64').toString() }),
  };
}
