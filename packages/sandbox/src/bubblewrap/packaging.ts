import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram, toolEnvironment } from '../host/config.js';
import type { NativeTools } from '../host/native-tools.js';
import { REGISTER_TEMPLATE } from '../packages/apt-errors.js';
import { baseImage, layered } from './base-image.js';
import type { Shortfall } from './host.js';

const run = promisify(execFile);

const TOOLS = ['apt-get', 'dpkg-deb', 'tar', 'flock'];

/** Tests with an empty layer whether packages can be laid over images here, and finds the reason why not. */
export async function findPackaging(
  tools: NativeTools,
  stateDir: string,
): Promise<{ canLayer: boolean; shortfalls: Shortfall[] }> {
  const missing = TOOLS.find((name) => findProgram(name) === undefined);
  if (missing !== undefined) return cannot(`there is no ${missing}`);
  try {
    const { overlays = [] } = layered(baseImage('/', stateDir), stateDir, layerPoints(stateDir));
    const options = overlays.flatMap(({ upper, lower, at }) => ['--overlay', upper, lower, at]);
    await run(tools.launcher, [...options, '--', '/bin/true'], { env: toolEnvironment(), cwd: '/' });
    return { canLayer: true, shortfalls: [] };
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    return cannot(stderr.trim() || 'directories cannot be laid over each other');
  }
}

/** Where the launcher lays layers over images, in the mount namespace of each sandbox. */
export function layerPoints(stateDir: string): string {
  return path.join(stateDir, 'layers');
}

function cannot(reason: string): { canLayer: boolean; shortfalls: Shortfall[] } {
  const problem = `packages that an image lacks are not installed: ${reason}`;
  return { canLayer: false, shortfalls: [{ problem, fix: REGISTER_TEMPLATE }] };
}
