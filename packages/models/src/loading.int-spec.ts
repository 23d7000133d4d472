import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@jest/globals';

// Records every resolved module, in a separate process: this one has loaded everything already.
const PROGRAM = `
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(
  'export async function resolve(name, context, next) { process._rawDebug(name); return next(name, context); }'
));
await import('@agentclash/models');
`;

test('code that only uses accounts and limits loads no SDK of a provider', () => {
  const loader = path.resolve(import.meta.dirname, '../../testkit/src/jest/typescript.mjs');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', loader, '--input-type=module', '--eval', PROGRAM],
    { cwd: path.resolve(import.meta.dirname, '../../engine'), encoding: 'utf8' },
  );
  expect(status).toBe(0);
  expect(stderr).toContain('./open-model.js');
  expect(stderr).not.toContain('@ai-sdk/');
});
