import { type AuditCertificate, type PackAudit, type PackAuditDetails, routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { heldBack, problem } from '../../testing/fake-server.js';
import { id, page, versionOf } from '../../testing/fixtures.js';
import { openApp, server } from '../../testing/open-app.js';

const DIGEST = 'd'.repeat(64);
const CERTIFICATE: AuditCertificate = {
  audit_id: id(70),
  result: 'failed',
  quick: false,
  strength: 0.75,
  cheats_tried: 60,
  cheats_gained: 1,
  digest: DIGEST,
  version: '0.1.0',
  audited_at: '2026-03-01T12:00:00Z',
};
const AUDIT: PackAudit = {
  id: id(70),
  challenge_pack_id: id(40),
  challenge_pack_version_id: id(41),
  slug: 'sums',
  version_number: 1,
  digest: DIGEST,
  status: 'completed',
  quick: false,
  seed: null,
  progress: null,
  certificate: CERTIFICATE,
  error: null,
  created_at: '2026-03-01T12:00:00Z',
  created_by: 'tests',
  started_at: '2026-03-01T12:00:00Z',
  finished_at: '2026-03-01T12:01:00Z',
};
const PASSED = { state: 'passed' as const, trials: 5, summary: 'as it should be' };
const REPORT: NonNullable<PackAuditDetails['report']> = {
  schema: 'agentclash.pack-audit/1',
  pack: { slug: 'sums', number: 1, digest: DIGEST },
  version: '0.1.0',
  audited_at: '2026-03-01T12:00:00Z',
  duration_ms: 1_000,
  sandbox: { provider: 'bubblewrap', isolation: 'full' },
  options: { quick: false, seed: DIGEST, cases: 1, cases_total: 1 },
  result: 'failed',
  checks: {
    ...{ static: PASSED, idle: PASSED, echo: PASSED, blank: PASSED },
    oracle: { ...PASSED, cases: 1, passed: 1, repetitions: 5, flake_rate: 0 },
    cheats: { ...PASSED, state: 'failed', summary: '1 of 60 cheats gained', tried: 60, gained: 1 },
    strength: { ...PASSED, mutants: 4, noticed: 3, strength: 0.75 },
  },
  findings: [
    {
      ...{ check: 'cheats', code: 'cheat_passes', severity: 'error' },
      ...{ message: 'The cheat passes.', fix: 'Write the report last.' },
      ...{ input_set_key: 'main', case_key: 'one', cheat: 'report_left', validators: ['sum'] },
    },
    {
      ...{ check: 'strength', code: 'mutant_survives', severity: 'note' },
      ...{ message: 'A mutant survives.', fix: 'Add a test.', detail: '- a + b\n+ a - b' },
    },
  ],
};

function serve(version: { audit: AuditCertificate | null }) {
  server.on(routes.versions.get, versionOf(40, 'sums', { ...version, digest: DIGEST }));
  server.on(routes.versions.inputSets, { items: [] });
  server.on(routes.versions.manifest, { challenges: [], evaluation_spec: { validators: [] } });
}

test('a version shows its certificate, the checks, and each finding with its case, validators and fix', async () => {
  serve({ audit: CERTIFICATE });
  server.on(routes.audits.list, page([AUDIT]));
  server.on(routes.audits.get, { ...AUDIT, report: REPORT });
  openApp(`/versions/${id(41)}`);
  const words = 'audit failed: 75 % of mutants noticed, 1 of 60 cheats gained';
  await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2));
  expect((await screen.findByRole('row', { name: /^cheats/ })).textContent).toContain(
    '1 of 60 cheats gained',
  );
  const [cheat] = screen.getByRole('list', { name: 'Findings of the audit' }).children;
  const [mutant] = screen.getByRole('list', { name: 'Notes of the audit', hidden: true }).children;
  expect(cheat?.textContent).toContain('report_left on main/one');
  expect(cheat?.textContent).toContain('Validators: sum');
  expect(cheat?.textContent).toContain('Write the report last.');
  expect(mutant?.textContent).toContain('+ a - b');
});

test('a member starts an audit, sees its progress and cancels it', async () => {
  serve({ audit: null });
  const queued: PackAudit = { ...AUDIT, status: 'queued', certificate: null, finished_at: null };
  server.on(routes.audits.list, page<PackAudit>([]));
  const created = server.on(routes.audits.create, queued);
  const cancelled = server.on(routes.audits.cancel, { ...queued, status: 'cancelled' });
  const user = openApp(`/versions/${id(41)}`);
  const start = await screen.findByRole('button', { name: 'Quick audit' });
  const progress = { check: 'cheats', done: 3, total: 60 };
  server.on(routes.audits.list, page([{ ...queued, status: 'running' as const, progress }]));
  await user.click(start);
  await screen.findByText('cheats: 3 of 60 trials');
  expect(created.map(({ body }) => body)).toEqual([{ quick: true }]);
  await user.click(screen.getByRole('button', { name: 'Cancel the audit' }));
  await waitFor(() => expect(cancelled).toHaveLength(1));
});

test('no button starts or cancels an audit before it is known whether one is under way', async () => {
  serve({ audit: null });
  const running: PackAudit = { ...AUDIT, status: 'running', certificate: null, finished_at: null };
  const { reply, release } = heldBack(page([running]));
  server.on(routes.audits.list, reply);
  openApp(`/versions/${id(41)}`);
  await screen.findByRole('heading', { name: 'Audit' });
  expect(screen.queryByRole('button', { name: /audit/i })).toBeNull();
  release();
  await screen.findByRole('button', { name: 'Cancel the audit' });
});

test('a viewer starts no audit', async () => {
  serve({ audit: null });
  server.on(routes.audits.list, page<PackAudit>([]));
  openApp(`/versions/${id(41)}`, { role: 'viewer' });
  await waitFor(() => expect(screen.getAllByText('not audited')).toHaveLength(2));
  expect(screen.queryByRole('button', { name: /udit/ })).toBeNull();
});

test('the certificate of an audit that ends is shown by all of the page', async () => {
  serve({ audit: null });
  const running: PackAudit = { ...AUDIT, status: 'running', certificate: null, finished_at: null };
  server.on(routes.audits.list, page([running]));
  openApp(`/versions/${id(41)}`);
  await screen.findByText('Starting');
  serve({ audit: CERTIFICATE });
  server.on(routes.audits.get, { ...AUDIT, report: REPORT });
  server.on(routes.audits.list, page([AUDIT]));
  await waitFor(() => expect(screen.getAllByText(/^audit failed: 75 %/)).toHaveLength(2));
});

test.each([
  ['waits for an executor', { status: 'queued' as const }, 'Waiting for an executor'],
  ['has begun', { status: 'running' as const }, 'Starting'],
  [
    'was cancelled',
    { status: 'cancelled' as const, finished_at: '2026-03-01T12:01:00Z' },
    /^The last audit was cancelled, /,
  ],
  [
    'did not complete',
    { status: 'failed' as const, error: { code: 'executor_lost', message: 'It stopped 3 times.' } },
    'The last audit did not complete: It stopped 3 times.',
  ],
])('an audit that %s is shown beside the earlier certificate', async (_title, changes, words) => {
  serve({ audit: CERTIFICATE });
  const audit: PackAudit = { ...AUDIT, id: id(71), certificate: null, finished_at: null, ...changes };
  server.on(routes.audits.list, page([audit]));
  server.on(routes.audits.get, { ...AUDIT, report: REPORT });
  openApp(`/versions/${id(41)}`);
  await waitFor(() => expect(textOf(words)).toBe(true));
  expect(screen.getAllByText(/^audit failed: 75 %/)).toHaveLength(2);
});

test.each([
  [
    'full audit that passed',
    { result: 'passed' as const, cheats_gained: 0 },
    'audit passed: 75 % of mutants noticed, no cheat gained',
  ],
  [
    'quick audit that passed',
    { result: 'passed' as const, quick: true, strength: null, cheats_gained: 0 },
    'quick audit passed: no cheat gained',
  ],
  [
    'audit that is incomplete',
    { result: 'incomplete' as const, strength: null, cheats_tried: 0 },
    'audit incomplete',
  ],
])('the badge of a %s states it', async (_title, changes, words) => {
  const certificate = { ...CERTIFICATE, ...changes };
  serve({ audit: certificate });
  server.on(routes.audits.list, page([{ ...AUDIT, certificate }]));
  server.on(routes.audits.get, { ...AUDIT, certificate, report: REPORT });
  openApp(`/versions/${id(41)}`);
  await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2));
  expect(screen.queryByText(/no policy or gate accepts it/) !== null).toBe(certificate.quick);
});

test('a certificate of other content is named as such', async () => {
  const certificate = { ...CERTIFICATE, digest: 'e'.repeat(64) };
  serve({ audit: certificate });
  server.on(routes.audits.list, page([{ ...AUDIT, certificate }]));
  server.on(routes.audits.get, { ...AUDIT, certificate, report: REPORT });
  openApp(`/versions/${id(41)}`);
  expect(await screen.findByText(/^This certificate is of other content/)).toBeTruthy();
});

test('a version without an audit states what one would show', async () => {
  serve({ audit: null });
  server.on(routes.audits.list, page<PackAudit>([]));
  openApp(`/versions/${id(41)}`);
  expect(await screen.findByText(/^Nothing shows yet that work is needed to pass/)).toBeTruthy();
});

test('audits that cannot be read, started or cancelled give the reason', async () => {
  serve({ audit: null });
  server.on(routes.audits.list, () => problem('not_found', 'There is no such version.'));
  const user = openApp(`/versions/${id(41)}`);
  expect(await screen.findByText('There is no such version.')).toBeTruthy();
  server.on(routes.audits.list, page<PackAudit>([]));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  server.on(routes.audits.create, () => problem('conflict', 'Another audit is running.'));
  await user.click(await screen.findByRole('button', { name: 'Audit' }));
  expect(await screen.findByText('Another audit is running.')).toBeTruthy();
});

function textOf(words: string | RegExp): boolean {
  const paragraphs = [...document.querySelectorAll('p')].map(({ textContent }) => textContent ?? '');
  return paragraphs.some((text) => (typeof words === 'string' ? text === words : words.test(text)));
}
