import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const BIN = path.resolve(import.meta.dirname, '../bin');

/** The program where a clone has it, with a manifest that requires a future Node.js. */
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'agentclash-older-node-'));
  cpSync(BIN, path.join(clone, 'apps/cli/bin'), { recursive: true });
  const manifest = { type: 'module', engines: { node: '>=99.1' } };
  writeFileSync(path.join(clone, 'apps/cli/package.json'), JSON.stringify(manifest));
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

function agentclash(...words: string[]) {
  const program = path.join(clone, 'apps/cli/bin/agentclash.js');
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
  });
  return { status, signal, stdout, stderr };
}

/** The Node.js that the set-up of a clone fetches where the machine's own is too old. */
function fetchedNode(script: string) {
  const bin = path.join(clone, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'node'), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(bin, 'node'), 0o755);
}

test('An installed agentclash names the Node.js that it needs, in one line.', () => {
  expect(agentclash('--help')).toEqual({
    status: 69,
    signal: null,
    stdout: '',
    stderr: `agentclash needs Node.js 99.1 or newer, and this is ${process.versions.node}: https://nodejs.org/en/download\n`,
  });
});

test('In a clone that was set up, agentclash runs with the Node.js of the set-up and ends as it does.', () => {
  fetchedNode('shift; echo "$# $*"; exit 3');
  expect(agentclash('run', 'two words')).toMatchObject({
    status: 3,
    stdout: '2 run two words\n',
    stderr: '',
  });
});

test('agentclash ends by the signal that ends the Node.js of the set-up.', () => {
  fetchedNode('kill -TERM $$');
  expect(agentclash()).toMatchObject({ status: null, signal: 'SIGTERM' });
});
