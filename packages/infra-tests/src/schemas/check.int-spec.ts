import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { Manifest } from '../manifests/manifest.js';
import { renderOverlay } from '../manifests/render.js';
import { repository } from '../repository.js';
import { describeWithKubectl } from '../requirements.js';

const CHECK = path.join(repository, 'infra/k8s/check.mjs');
/** The API groups of the API server itself. */
const BUILT_IN = /^(v1|apps\/v1|batch\/v1|policy\/v1|autoscaling\/v2|[a-z.]+\.k8s\.io\/v1)$/;

describeWithKubectl('the check `pnpm kubernetes:check`', () => {
  test('the overlay prod-core uses built-in kinds only, and prod those of operators too', () => {
    const foreign = (manifests: Manifest[]) =>
      [...new Set(manifests.map(({ apiVersion }) => apiVersion))].filter(
        (version) => !BUILT_IN.test(version),
      );
    expect(foreign(renderOverlay('prod-core'))).toEqual([]);
    expect(foreign(renderOverlay('prod')).sort()).toEqual(['keda.sh/v1alpha1', 'monitoring.coreos.com/v1']);
  });

  test('the check names each kind that the cluster lacks, its operator and the component to leave out', async () => {
    const { code, output } = await check('prod', BUILT_IN);
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      'missing: ScaledObject (keda.sh/v1alpha1): install KEDA, or leave out components/keda',
      'missing: PrometheusRule (monitoring.coreos.com/v1): install a Prometheus operator, or leave out infra/observability or components/hpa',
      'missing: ServiceMonitor (monitoring.coreos.com/v1): install a Prometheus operator, or leave out infra/observability or components/hpa',
      expect.stringMatching(/^the cluster lacks 3 of \d+ kinds of .*prod: nothing was applied$/),
    ]);
  });

  test('the check succeeds when the cluster has all kinds, and reports a cluster that is too old', async () => {
    expect(await check('prod-core', BUILT_IN)).toMatchObject({ code: 0 });
    expect(await check('prod', /./)).toMatchObject({ code: 0 });
    const { code, output } = await check('prod-core', /^(?!autoscaling\/v2)/);
    expect([code, output]).toEqual([1, expect.stringContaining('autoscaling/v2): the cluster is too old')]);
  });

  test('the check reports an unreachable or forbidden cluster as such, not as one that lacks kinds', async () => {
    const unreachable = await run('prod', 'http://127.0.0.1:1');
    expect(unreachable).toMatchObject({ code: 2, output: '' });
    const forbidden = await check('prod', /./, 403);
    expect(forbidden.code).not.toBe(0);
    expect(forbidden.output).not.toContain('missing');
  });
});

/** Runs the check against an API server that serves every kind of the matching versions. */
async function check(overlay: string, served: RegExp, status = 200) {
  const kinds = renderOverlay('prod').concat(renderOverlay('dev'));
  const server = createServer(({ url = '' }, response) => {
    const version = url.replace(/^\/apis?\//, '');
    if (url === '/version') return response.end('{}');
    const isServed = served.test(version);
    const resources = kinds.filter(({ apiVersion }) => apiVersion === version).map(({ kind }) => ({ kind }));
    const failure = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
    const code = isServed ? status : 404;
    response.writeHead(code, { 'content-type': 'application/json' });
    return response.end(
      JSON.stringify(
        code === 200 ? { resources } : { ...failure, code, reason: code === 404 ? 'NotFound' : 'Forbidden' },
      ),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await run(overlay, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

async function run(overlay: string, url: string): Promise<{ code: number; output: string }> {
  const folder = path.join(repository, 'infra/k8s/overlays', overlay);
  const child = spawn(process.execPath, [CHECK, folder, `--server=${url}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const [code] = await once(child, 'close');
  return { code: code as number, output };
}
