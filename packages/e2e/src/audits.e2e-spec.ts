import path from 'node:path';
import { type Client, createClient, routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, repository, StackFolder } from './product.js';
import { stackProcesses } from './testing/processes.js';

/** A lease of 30 s, and the trials of an example pack. */
jest.setTimeout(300_000);
const SOON = { timeoutMs: 240_000, intervalMs: 100 };

const PACK = path.join(repository, 'examples/challenge-packs/graders-in-code.yaml');
const CITIES = path.join(repository, 'examples/challenge-packs/capital-cities.yaml');
const SLUG = 'graders-in-code';

describe('audits of published versions', () => {
  const folder = new StackFolder();
  let product: Product;
  let client: Client;
  let version_id: string;

  beforeAll(async () => {
    product = await Product.start(folder, { STACK_PROCESSES: '2' });
    client = createClient({ baseUrl: product.state.url, token: await product.token(), timeoutMs: 60_000 });
    await product.read('challenge-pack', 'publish', PACK);
    const { versions } = await client.call(routes.packs.get, { params: { pack: SLUG } });
    version_id = versions[0]?.id ?? '';
  }, 180_000);
  afterAll(async () => {
    await product?.stop();
    folder.remove();
  }, 120_000);

  const versionOf = () => client.call(routes.versions.get, { params: { version_id } });
  const auditOf = (audit_id: string) => client.call(routes.audits.get, { params: { version_id, audit_id } });

  test('a workspace that requires audits refuses runs of a version without one, and names the next step', async () => {
    await product.read('workspace', 'audit-policy', '--require', 'yes');
    const create = client.call(routes.runs.create, { body: { challenge_pack_version_id: version_id } });
    await expect(create).rejects.toMatchObject({
      code: 'audit_required',
      message: expect.stringContaining(`agentclash challenge-pack audit ${SLUG}@1`),
    });
    const { stdout } = await product.run(['workspace', 'audit-policy', '--require', 'no']);
    expect(stdout).toContain('runs need no audit');
  });

  test('an audit whose executor is killed is run by the next one, and its certificate is the version’s', async () => {
    expect((await versionOf()).audit).toBeNull();
    const { id } = await client.call(routes.audits.create, { params: { version_id }, body: { quick: true } });
    await waitFor(async () => (await auditOf(id)).progress !== null, SOON);
    const [, second = 0] = stackProcesses(product.state.pid);
    process.kill(second, 'SIGKILL');
    const audit = await waitFor(async () => {
      const found = await auditOf(id);
      return (found.status === 'completed' || found.status === 'failed') && found;
    }, SOON);
    expect(audit).toMatchObject({ status: 'completed', error: null, report: { pack: { slug: SLUG } } });
    const { audit: certificate, digest } = await versionOf();
    expect(certificate).toMatchObject({ audit_id: id, digest, quick: true, result: audit.report?.result });
  });

  test('the command line follows an audit of a published version, and ends by its result', async () => {
    await product.read('challenge-pack', 'publish', CITIES);
    const words = ['challenge-pack', 'audit', 'capital-cities@1', '--quick', '--json'];
    const { code, stdout } = await product.run(words, { timeoutMs: 240_000 });
    const report = JSON.parse(stdout) as { pack: object; result: 'passed' | 'failed' | 'incomplete' };
    expect(report.pack).toMatchObject({ slug: 'capital-cities', number: 1 });
    expect(code).toBe({ passed: 0, failed: 1, incomplete: 3 }[report.result]);
  });
});
