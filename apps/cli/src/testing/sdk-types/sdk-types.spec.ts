import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { sdkTypes } from './sdk-types.js';

test('the types of the SDK are those of the editor schemas', async () => {
  for (const { file, text } of await sdkTypes()) expect(readFileSync(file, 'utf8')).toBe(text);
});
