import { expect, test } from '@jest/globals';
import type { Manifest } from '../manifests/manifest.js';
import { OVERLAYS, renderAgentPackages, renderOverlay, renderWith } from '../manifests/render.js';
import { describeWithKubectl } from '../requirements.js';
import { findInvalidValues, findUnknownFields } from './api-types.js';

const PDB: Manifest = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'broken' },
};

describeWithKubectl('the API types of Kubernetes and of the optional operators', () => {
  test.each(OVERLAYS)(
    'the API types accept every object of the overlay %s as it is',
    async (overlay) => {
      const manifests = renderOverlay(overlay);
      expect(await findInvalidValues(manifests)).toEqual([]);
      expect(await findUnknownFields(manifests)).toEqual([]);
    },
    60_000,
  );

  test('the API types accept every object of the optional components', async () => {
    const more = ['external-secrets', 'nats-certificates', 'oidc', 'tracing', 'gvisor'];
    const rendered = [renderWith('prod', more), renderWith('dev', ['hpa']), renderAgentPackages('dev')];
    for (const manifests of rendered) {
      expect(await findInvalidValues(manifests)).toEqual([]);
      expect(await findUnknownFields(manifests)).toEqual([]);
    }
  }, 120_000);

  test('the API types reject wrong values and unknown fields', async () => {
    const wrongValue = { ...PDB, spec: { selector: 'all pods' } };
    expect(await findInvalidValues([wrongValue])).toEqual([expect.stringContaining('selector')]);
    const wrongField = { ...PDB, spec: { maxUnavailble: 1 } };
    expect(await findUnknownFields([PDB, wrongField])).toEqual([expect.stringContaining('maxUnavailble')]);
  }, 60_000);
});
