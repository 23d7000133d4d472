import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { StackFolder } from './product.js';
import { auditOf } from './testing/audited-packs.js';
import { SKILL_PACKS, STARTERS, starterFile, writeStarterPacks } from './testing/starter-packs.js';

jest.setTimeout(320_000);

/** The packs that authors copy have no weakness that an audit finds. */
describe('the packs with which authors begin', () => {
  const folder = new StackFolder();
  beforeAll(() => writeStarterPacks(folder));
  afterAll(() => folder.remove());

  test.each([...STARTERS, ...SKILL_PACKS])(
    'the pack %s passes its audit in full without a warning',
    async (name) => {
      const audit = await auditOf(folder, starterFile(folder, name), { isQuick: false });
      expect(audit).toMatchObject({ code: 0, result: 'passed', findings: [] });
    },
  );
});
