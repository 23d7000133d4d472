import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readPack } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';

const folder = path.resolve(import.meta.dirname, '../../../examples/challenge-packs');
const packs = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

test.each(packs)('the example %s reads without a single problem', (file) => {
  expect(readPack(readFileSync(path.join(folder, file))).problems).toEqual([]);
});
