import { setTimeout as pause } from 'node:timers/promises';
import type { KubernetesApi } from '../../kubernetes/api.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';

const LOOK_EVERY_MS = 200;

/**
 * The resource as the documentation of agent-sandbox describes it, written by hand, for clusters that do not have it. Its pod
 * template is not validated.
 */
export const SANDBOX_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'sandboxes.agents.x-k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
  },
  spec: {
    group: 'agents.x-k8s.io',
    names: { kind: 'Sandbox', listKind: 'SandboxList', plural: 'sandboxes', singular: 'sandbox' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['podTemplate'],
                properties: {
                  podTemplate: {
                    type: 'object',
                    required: ['spec'],
                    properties: {
                      metadata: {
                        type: 'object',
                        properties: {
                          labels: { type: 'object', additionalProperties: { type: 'string' } },
                          annotations: { type: 'object', additionalProperties: { type: 'string' } },
                        },
                      },
                      spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                    },
                  },
                  service: { type: 'boolean' },
                  shutdownTime: { type: 'string', format: 'date-time' },
                  shutdownPolicy: { type: 'string', enum: ['Delete', 'Retain'], default: 'Retain' },
                  operatingMode: { type: 'string', enum: ['Running', 'Suspended'], default: 'Running' },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

interface Sandbox extends KubernetesObject {
  metadata: KubernetesObject['metadata'] & { uid: string; deletionTimestamp?: string };
  spec: {
    podTemplate: {
      metadata: { labels: Record<string, string>; annotations: Record<string, string> };
      spec: object;
    };
    shutdownTime: string;
  };
}

/** In the place of the controller: makes the pod of each Sandbox, and deletes those whose time has come. */
export class SandboxController {
  readonly #stopped = new AbortController();
  readonly #ended: Promise<void>;

  constructor(private readonly api: KubernetesApi) {
    this.#ended = this.#run();
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    await this.#ended;
    await this.api.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const sandboxes = await this.api.list<Sandbox>('sandboxes', '');
      await Promise.all(sandboxes.map((sandbox) => this.#reconcile(sandbox)));
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #reconcile({ metadata, spec }: Sandbox): Promise<void> {
    const { name, uid, deletionTimestamp } = metadata;
    if (deletionTimestamp !== undefined) return;
    if (Date.parse(spec.shutdownTime) < this.api.now()) {
      await this.api.delete('sandboxes', name);
    } else if ((await this.api.getPod(name)) === undefined) {
      const owner = { apiVersion: 'agents.x-k8s.io/v1beta1', kind: 'Sandbox', name, uid, controller: true };
      const pod = {
        metadata: { name, ...spec.podTemplate.metadata, ownerReferences: [owner] },
        spec: spec.podTemplate.spec,
      };
      // A Sandbox may be deleted meanwhile; the garbage collector removes its pod then.
      await this.api.createPod(pod).catch(() => {});
    }
  }
}
