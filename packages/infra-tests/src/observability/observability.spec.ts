import { ACCESS } from '@agentclash/contracts';
import { expect, test } from '@jest/globals';
import { ofKind, selects } from '../manifests/kinds.js';
import type { Manifest } from '../manifests/manifest.js';
import { renderOverlay, renderWith } from '../manifests/render.js';
import { describeWithKubectl } from '../requirements.js';
import { bucketlessIn, unknownTo, unknownValuesIn } from './promql.js';

interface Dashboard {
  panels: { id: number; title: string; type: string; targets?: { expr: string }[] }[];
}

describeWithKubectl('alerts and the dashboard', () => {
  const manifests = renderOverlay('prod');

  test('every alert uses existing metrics and labels', () => {
    const rules = rulesOf(manifests);
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.flatMap(({ alert, expr }) => unknownTo(expr).map((what) => `${alert}: ${what}`))).toEqual(
      [],
    );
  });

  test('an alert fires if no pod of a service is left', () => {
    const serviceDown = rulesOf(manifests).find(({ alert }) => alert === 'AgentClashServiceAway');
    expect(Object.keys(ACCESS)).not.toEqual([]);
    for (const service of Object.keys(ACCESS)) {
      expect(serviceDown?.expr).toContain(
        `absent(up{namespace="agentclash",app_kubernetes_io_name="${service}"})`,
      );
    }
  });

  test('every alert has a severity, a summary and a description', () => {
    const rules = rulesOf(manifests);
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^AgentClash[A-Z]/);
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations.summary && annotations.description).toBeTruthy();
    }
  });

  test('the dashboard uses existing metrics, labels and values', () => {
    const { panels } = dashboardOf(manifests);
    const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
    expect(queries.length).toBeGreaterThan(15);
    expect(queries.flatMap(({ title, expr }) => unknownTo(expr).map((what) => `${title}: ${what}`))).toEqual(
      [],
    );
    expect(queries.flatMap(({ expr }) => [...unknownValuesIn(expr), ...bucketlessIn(expr)])).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  test('the service monitor scrapes every service at a declared port', () => {
    const [monitor] = ofKind(manifests, 'ServiceMonitor');
    const { selector, endpoints, targetLabels } = monitor?.spec ?? {
      selector: undefined,
      endpoints: [],
      targetLabels: [],
    };
    expect(endpoints).toEqual([expect.objectContaining({ port: 'metrics', path: '/metrics' })]);
    // As `app_kubernetes_io_name`, which alerts and the dashboard select.
    expect(targetLabels).toContain('app.kubernetes.io/name');
    const read = ofKind(manifests, 'Service').filter(({ metadata }) => selects(selector, metadata.labels));
    expect(read.map(({ metadata }) => metadata.name).sort()).toEqual(
      ofKind(manifests, 'Deployment')
        .map(({ metadata }) => metadata.name)
        .sort(),
    );
    for (const service of read) {
      const ports = service.spec.ports.map(({ name }) => name);
      expect(ports).toEqual(expect.arrayContaining(endpoints.map(({ port }) => port)));
    }
  });

  test('scalers without KEDA use a metric that a rule records from existing metrics', () => {
    const rendered = renderWith('dev', ['hpa']);
    const recorded = ofKind(rendered, 'PrometheusRule').flatMap(({ spec }) =>
      spec.groups.flatMap(({ rules }) => rules),
    );
    expect(recorded.map(({ record }) => record)).toEqual(['agentclash_queue_depth']);
    expect(recorded.flatMap(({ expr }) => unknownTo(expr))).toEqual([]);
    const metrics = ofKind(rendered, 'HorizontalPodAutoscaler').flatMap(({ spec }) => spec.metrics);
    expect(metrics.map(({ external }) => external?.metric.name)).toEqual(
      metrics.map(() => recorded[0]?.record),
    );
  });

  test.each([
    ['sum(agentclash_nothing_total)', 'agentclash_nothing_total'],
    ['sum by (colour) (rate(agentclash_attempts_ended_total[5m]))', 'colour'],
    ['agentclash_scoring_duration_seconds', 'agentclash_scoring_duration_seconds'],
  ])('an unknown metric or label is reported: %s', (expression, what) => {
    expect(unknownTo(expression)).toEqual([what]);
  });
});

function rulesOf(manifests: readonly Manifest[]) {
  return ofKind(manifests, 'PrometheusRule').flatMap(({ spec }) => spec.groups.flatMap(({ rules }) => rules));
}

function dashboardOf(manifests: readonly Manifest[]): Dashboard {
  const found = ofKind(manifests, 'ConfigMap').find(
    ({ metadata }) => metadata.labels.grafana_dashboard === '1',
  );
  return JSON.parse(found?.data['agentclash.json'] ?? '{}') as Dashboard;
}
