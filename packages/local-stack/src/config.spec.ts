import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { settingsIn } from './config.js';

const PAGE = path.resolve(import.meta.dirname, '../../../docs/reference/environment.md');

/** The variables that a stack chooses by itself: its bus, database, storage, addresses and keys, and what only a cluster has. */
const OF_THE_STACK =
  /^(NATS_\w+|LOG_LEVEL|HEALTH_(PORT|HOST)|BLOB_(STORE|FOLDER|SPOOL_FOLDER)|S3_\w+|AWS_REGION|DATABASE_\w+|MIGRATE_ON_START|HTTP_(HOST|PORT)|WEB_FOLDER|(BOOTSTRAP|OPERATOR)_\w*TOKEN_SHA256|BOOTSTRAP_WORKSPACE|URL_SIGNING_KEY|EXECUTOR_ID|VAULT_(KEYS\w*|ACTIVE_KEY)|RECONCILE_MS|(SLOT_)?LEASE_MS)$/;

/** The names of all variables of services: the page is generated from their schemas. */
const documented = [...readFileSync(PAGE, 'utf8').matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].flatMap(
  ([, name]) => name ?? [],
);

describe('the settings that a stack takes from the environment of its user', () => {
  test('Each variable of a service is either handed on or chosen by the stack.', () => {
    expect(documented).toContain('AUDIT_TIMEOUT_SECONDS');
    const handedOn = settingsIn(Object.fromEntries(documented.map((name) => [name, '1'])));
    const lost = documented.filter((name) => !(name in handedOn) && !OF_THE_STACK.test(name));
    expect(lost).toEqual([]);
  });

  test('Empty variables and those of no service are left out.', () => {
    expect(settingsIn({ AUDIT_TIMEOUT_SECONDS: '60', AUDITS_MAX_CONCURRENT: '', HOME: '/root' })).toEqual({
      AUDIT_TIMEOUT_SECONDS: '60',
    });
  });
});
