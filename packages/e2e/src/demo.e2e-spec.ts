import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { Place, repository, runNode } from './product.js';

jest.setTimeout(180_000);

const place = new Place();
afterAll(() => place.remove());

const DEMO = path.join(repository, 'packages/local-stack/dist/demo.js');

test('the demo ranks oracle over hasty over idle, and does so again on the data of the first time', async () => {
  for (const time of ['first', 'second']) {
    const { code, stdout } = await runNode([DEMO, '--data', place.data], { place, timeoutMs: 240_000 });
    expect({ time, code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/1\s+oracle\s+passed/);
    expect(stdout).toMatch(/2\s+hasty\s+failed/);
    expect(stdout).toMatch(/3\s+idle\s+failed/);
    expect(stdout).toContain('Where to look next');
  }
}, 500_000);

test('the demo leaves no process behind', () => {
  expect(processesAbout(place.folder)).toEqual([]);
});

/** Command lines that name the folder. */
function processesAbout(folder: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => commandLine(pid))
    .filter((text) => text.includes(folder));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
