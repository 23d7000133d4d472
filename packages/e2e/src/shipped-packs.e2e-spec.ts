import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { StackFolder } from './product.js';
import { auditOf, shippedPacks } from './testing/audited-packs.js';

jest.setTimeout(320_000);

/** Each of their cheats runs tests in a sandbox: `shipped-packs.nightly-spec.ts` audits them, too. */
const NIGHTLY = [
  'examples/cheats.yaml',
  'examples/fix-the-tests.yaml',
  'examples/graders-in-code.yaml',
  'examples/small-python-tasks.yaml',
  'docs/hidden-tests',
];

const folder = new StackFolder();
const packs = shippedPacks(folder);
const daily = Object.keys(packs).filter((name) => !NIGHTLY.includes(name));

describe('the packs that users see', () => {
  afterAll(() => folder.remove());

  test.each(daily)('the pack %s passes its own audit', async (name) => {
    const audit = await auditOf(folder, packs[name] ?? '', { isQuick: true });
    expect(audit).toMatchObject({ code: 0, result: 'passed' });
  });

  test('every pack that is audited at night alone is one that users see', () => {
    expect(NIGHTLY.filter((name) => packs[name] === undefined)).toEqual([]);
  });
});
