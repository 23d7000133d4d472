import { describe, expect, test } from '@jest/globals';
import { type LabelSelector, type Manifest, ofKind, selects, specOf } from '../manifests/manifest.js';
import { hasKubectl, renderOverlay, renderWith } from '../manifests/render.js';
import { unknownTo } from './queries.js';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

interface Dashboard {
  panels: { id: number; title: string; type: string; targets?: { expr: string }[] }[];
}

(hasKubectl() ? describe : describe.skip)('what watches a cluster', () => {
  const manifests = hasKubectl() ? renderOverlay('prod') : [];

  test('alerts on metrics and labels that there are', () => {
    const rules = rulesOf(manifests);
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.flatMap(({ alert, expr }) => unknownTo(expr).map((what) => `${alert}: ${what}`))).toEqual(
      [],
    );
  });

  test('says of every alert how bad it is, what it means and what to do', () => {
    for (const { alert, labels, annotations } of rulesOf(manifests)) {
      expect(alert).toMatch(/^AgentClash[A-Z]/);
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations.summary && annotations.description).toBeTruthy();
    }
  });

  test('shows metrics and labels that there are', () => {
    const { panels } = dashboardOf(manifests);
    const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
    expect(queries.length).toBeGreaterThan(15);
    expect(queries.flatMap(({ title, expr }) => unknownTo(expr).map((what) => `${title}: ${what}`))).toEqual(
      [],
    );
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  test('reads the metrics of every service, at a port that is open', () => {
    const [monitor] = ofKind(manifests, 'ServiceMonitor');
    const { selector, endpoints } = specOf<Monitor>(monitor);
    const read = ofKind(manifests, 'Service').filter(({ metadata }) =>
      selects(selector, metadata.labels ?? {}),
    );
    expect(read.map(({ metadata }) => metadata.name).sort()).toEqual(
      ofKind(manifests, 'Deployment')
        .map(({ metadata }) => metadata.name)
        .sort(),
    );
    for (const service of read) {
      const ports = specOf<{ ports: { name: string }[] }>(service).ports.map(({ name }) => name);
      expect(ports).toEqual(expect.arrayContaining(endpoints.map(({ port }) => port)));
    }
  });

  test('lets scalers without KEDA ask for a metric that there is', () => {
    const scalers = ofKind(renderWith('dev', ['hpa']), 'HorizontalPodAutoscaler');
    const asked = scalers.flatMap((scaler) => specOf<{ metrics: ExternalMetric[] }>(scaler).metrics);
    const queries = asked.map(({ external: { metric } }) => {
      const labels = Object.entries(metric.selector.matchLabels).map(
        ([label, value]) => `${label}="${value}"`,
      );
      return `${metric.name}{${labels.join(',')}}`;
    });
    expect(queries).toHaveLength(2);
    expect(queries.flatMap(unknownTo)).toEqual([]);
  });

  test.each([
    ['sum(agentclash_nothing_total)', 'agentclash_nothing_total'],
    ['sum by (colour) (rate(agentclash_attempts_ended_total[5m]))', 'colour'],
    ['agentclash_scoring_duration_seconds', 'agentclash_scoring_duration_seconds'],
  ])('would show what there is not: %s', (expression, what) => {
    expect(unknownTo(expression)).toEqual([what]);
  });
});

interface Monitor {
  selector: LabelSelector;
  endpoints: { port: string }[];
}

interface ExternalMetric {
  external: { metric: { name: string; selector: { matchLabels: Record<string, string> } } };
}

function rulesOf(manifests: readonly Manifest[]): Rule[] {
  return ofKind(manifests, 'PrometheusRule').flatMap((rule) =>
    specOf<{ groups: { rules: Rule[] }[] }>(rule).groups.flatMap(({ rules }) => rules),
  );
}

function dashboardOf(manifests: readonly Manifest[]): Dashboard {
  const found = ofKind(manifests, 'ConfigMap').find(
    ({ metadata }) => metadata.labels?.grafana_dashboard === '1',
  );
  const files = (found?.data ?? {}) as Record<string, string>;
  return JSON.parse(files['agentclash.json'] ?? '{}') as Dashboard;
}
