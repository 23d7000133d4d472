import { readFileSync } from 'node:fs';
import path from 'node:path';
import { natsAccountsConfig } from '@agentclash/bus';
import { expect, test } from '@jest/globals';
import { repository } from '../repository.js';

test('infra/nats/accounts.conf is the output of `pnpm nats:config` for the declarations of the services', () => {
  const written = readFileSync(path.join(repository, 'infra/nats/accounts.conf'), 'utf8');
  expect(written).toBe(natsAccountsConfig());
});
