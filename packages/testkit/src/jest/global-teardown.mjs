import { closeTestServers } from './test-servers.mjs';

export default function globalTeardown() {
  return closeTestServers();
}
