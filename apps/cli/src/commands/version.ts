import { installedVersion } from '../installed-version.js';
import type { Session } from '../session.js';

export async function run(session: Session): Promise<undefined> {
  const version = installedVersion();
  session.out.result({ version, node: process.version }, () => `agentclash ${version}`);
}
