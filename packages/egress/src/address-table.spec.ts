import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { METADATA_ADDRESSES, NEVER_OPENED_BLOCKS } from './address-table.js';
import { DEFAULT_EGRESS_SETTINGS } from './policy.js';
import { checkUrl } from './url-check.js';

const guide = readFileSync(path.join(import.meta.dirname, '../../../docs/security.md'), 'utf8');
const section = guide.split('### What no allowlist opens')[1]?.split('\n### ')[0] ?? '';
const rows = [...section.matchAll(/^\| (?!What|---)(.*?) \| (.*) \|$/gm)].map(([, , cell = '']) => cell);
const listed = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));

describe('the ranges that no allowlist opens', () => {
  test('stand in docs/security.md, all of them', () => {
    const documented = listed.filter((text) => text !== '2000::/3');
    expect(documented.toSorted()).toEqual([...METADATA_ADDRESSES, ...NEVER_OPENED_BLOCKS].toSorted());
  });

  test.each([...METADATA_ADDRESSES, ...NEVER_OPENED_BLOCKS].filter((text) => text !== '::/0'))(
    'are closed also where they are listed: %s',
    async (text) => {
      const address = text.replace(/\/\d+$/, '');
      const host = address.includes(':') ? `[${address}]` : address;
      const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
      const cidrs = [cidr, '0.0.0.0/0', '::/0'];
      const settings = { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: cidrs };
      for (const policy of [{ kind: 'pack', allowlist: cidrs } as const, { kind: 'operator' } as const]) {
        expect(await checkUrl(`http://${host}/`, { policy, settings })).toMatchObject({ allowed: false });
      }
    },
  );
});
