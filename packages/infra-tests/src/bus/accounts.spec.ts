import { readFileSync } from 'node:fs';
import path from 'node:path';
import { natsAccountsConfig } from '@agentclash/bus';
import { expect, test } from '@jest/globals';
import { repository } from '../repository.js';

test('infra/nats/accounts.conf says what the services declare; `pnpm nats:config` writes it anew', () => {
  const written = readFileSync(path.join(repository, 'infra/nats/accounts.conf'), 'utf8');
  expect(written).toBe(natsAccountsConfig());
});
