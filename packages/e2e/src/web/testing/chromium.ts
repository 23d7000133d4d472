import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

export type { Browser };

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The machine's own Chromium, without a window. `CHROMIUM` names another one. */
export async function openChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PROGRAMS.find((program) => existsSync(program));
  if (executablePath === undefined) {
    throw new Error('There is no Chromium: apt-get install chromium, or set CHROMIUM to the path of one.');
  }
  // Root may not use Chromium's own sandbox, and all it opens here is ours.
  return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
