import { openTestServers } from './test-servers.mjs';

export default function globalSetup() {
  return openTestServers();
}
