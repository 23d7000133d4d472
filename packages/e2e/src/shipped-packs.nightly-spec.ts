import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { StackFolder } from './product.js';
import { auditOf, shippedPacks } from './testing/audited-packs.js';

jest.setTimeout(320_000);

const folder = new StackFolder();
const packs = shippedPacks(folder);

describe('the packs that users see', () => {
  afterAll(() => folder.remove());

  test.each(Object.keys(packs))('the pack %s passes its own audit in full', async (name) => {
    const audit = await auditOf(folder, packs[name] ?? '', { isQuick: false });
    expect(audit).toMatchObject({ code: 0, result: 'passed' });
  });
});
