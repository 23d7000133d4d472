import { routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { page, RUN, runOf } from '../testing/fixtures.js';
import { heading, openApp, server } from '../testing/open-app.js';

const EXECUTOR = {
  ...{ executor_id: 'executor-1', provider: 'bubblewrap', isolation: 'full', attempts_max: 4 },
  ...{ capabilities: { packages: true, egress_proxy: true }, images: [{ template: null, packages: [] }] },
};

function serve(executors: (typeof EXECUTOR)[]) {
  server.on(routes.service.installation, { services: [{ name: 'scoring', state: 'ready' }], executors });
  server.on(routes.runs.list, page([runOf({ status: 'running', finished_at: null })]));
}

test('a gateway that is not ready is no error: its components are listed with their states', async () => {
  serve([EXECUTOR]);
  const parts = { nats: 'ok', vault: 'unreachable' };
  server.on(routes.service.readiness, () => Response.json({ ready: false, parts }, { status: 503 }));
  openApp('/health');
  await screen.findByText('not ready');
  expect(screen.getByRole('row', { name: /vault/ }).textContent).toBe('vaultunreachable');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the capabilities of executors and their sum of slots are shown', async () => {
  serve([EXECUTOR, { ...EXECUTOR, executor_id: 'executor-2' }]);
  server.on(routes.service.readiness, { ready: true, parts: { nats: 'ok' } });
  openApp('/health');
  await screen.findByText('Max concurrency 8');
  const row = screen.getByRole('row', { name: /executor-1/ });
  expect(row.textContent).toContain('package installation, egress proxy');
  const run = await screen.findByRole('link', { name: 'nightly' });
  expect(run.getAttribute('href')).toBe(`/runs/${RUN}`);
});

test('an installation without executors shows that runs stay queued; the operator sees no runs', async () => {
  serve([]);
  server.on(routes.service.readiness, { ready: true, parts: {} });
  openApp('/health', { role: 'operator' });
  await heading('Health');
  await screen.findByText('No executors: runs stay queued');
  expect(screen.queryByText('Active runs')).toBeNull();
});
