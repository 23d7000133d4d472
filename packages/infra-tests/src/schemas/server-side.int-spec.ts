import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Manifest } from '../manifests/manifest.js';
import { renderAgentPackages, renderOverlay } from '../manifests/render.js';
import { OPERATOR_DEFINITIONS } from './operator-definitions.js';

const kubeconfig = process.env.AGENTCLASH_TEST_KUBECONFIG;
const OURS = ['agentclash', 'agentclash-sandboxes'];
const CREATED = / (created|configured|unchanged) \(server dry run\)$/;

if (kubeconfig === undefined) {
  test.skip('a real API server takes the overlays: set AGENTCLASH_TEST_KUBECONFIG (pnpm test:kubernetes)', () => {});
} else {
  describe('a real API server', () => {
    // Dry runs need existing namespaces, which must not be those of an installation.
    const suffix = randomBytes(4).toString('hex');
    const namespaces = new Map(OURS.map((name) => [name, `${name}-${suffix}`]));
    const defined: string[] = [];
    beforeAll(() => {
      for (const name of namespaces.values()) kubectl(['create', 'namespace', name]);
    });
    afterAll(() => {
      if (defined.length > 0) kubectl(['delete', ...defined]);
      kubectl(['delete', 'namespace', '--wait=false', ...namespaces.values()]);
    });

    test.each(['dev', 'prod-core'] as const)(
      'a real API server accepts every object of the overlay %s, without an operator',
      (overlay) => {
        expectAccepted(renderOverlay(overlay));
      },
      60_000,
    );

    test('a real API server accepts every object of the overlay prod, with definitions of the resources of operators', () => {
      define();
      expectAccepted(renderOverlay('prod'));
      const [scaled] = renderOverlay('prod').filter(({ kind }) => kind === 'ScaledObject');
      const wrong = { ...scaled, spec: { ...(scaled?.spec as object), maxReplicas: 3 } } as Manifest;
      expect(() => expectAccepted([wrong])).toThrow(/unknown field "(?:spec\.)?maxReplicas"/);
    }, 120_000);

    test('a real API server accepts the volumes and claims of agent packages that the guide shows', () => {
      expectAccepted(renderAgentPackages('dev'));
    }, 60_000);

    /** Those that the cluster does not have. */
    function define(): void {
      for (const definition of OPERATOR_DEFINITIONS) {
        const name = `crd/${definition.metadata.name}`;
        if (kubectl(['get', name, '--ignore-not-found']) !== '') continue;
        kubectl(['create', '--filename=-'], [definition]);
        defined.push(name);
        kubectl(['wait', '--for=condition=Established', name, '--timeout=30s']);
      }
    }

    function expectAccepted(rendered: readonly Manifest[]): void {
      const manifests = rendered.filter(({ kind }) => kind !== 'Namespace');
      const lines = kubectl(['apply', '--dry-run=server', '--filename=-'], manifests.map(moved)).split('\n');
      expect(lines.filter((line) => CREATED.test(line))).toHaveLength(manifests.length);
    }

    function moved(manifest: Manifest): Manifest {
      const { name, namespace } = manifest.metadata;
      if (manifest.kind === 'PersistentVolume') {
        return { ...manifest, metadata: { ...manifest.metadata, name: `${name}-${suffix}` } };
      }
      if (namespace === undefined) return manifest;
      return {
        ...manifest,
        metadata: { ...manifest.metadata, namespace: namespaces.get(namespace) ?? namespace },
      };
    }

    function kubectl(words: string[], items?: readonly Manifest[]): string {
      return execFileSync('kubectl', ['--kubeconfig', kubeconfig ?? '', ...words], {
        encoding: 'utf8',
        stdio: 'pipe',
        input: items ? JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) : '',
      });
    }
  });
}
