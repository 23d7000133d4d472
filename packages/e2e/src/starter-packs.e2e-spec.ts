import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { StackFolder } from './product.js';
import { auditOf } from './testing/audited-packs.js';
import { STARTERS, starterFile, writeStarterPacks } from './testing/starter-packs.js';

jest.setTimeout(320_000);

/** Those whose cheats run tests in sandboxes are audited at night: `starter-packs.nightly-spec.ts`. */
describe('the packs with which authors begin', () => {
  const folder = new StackFolder();
  beforeAll(() => writeStarterPacks(folder));
  afterAll(() => folder.remove());

  test.each([...STARTERS, 'capitals'])('the pack %s passes its audit without a warning', async (name) => {
    const audit = await auditOf(folder, starterFile(folder, name), { isQuick: true });
    expect(audit).toMatchObject({ code: 0, result: 'passed', findings: [] });
  });
});
