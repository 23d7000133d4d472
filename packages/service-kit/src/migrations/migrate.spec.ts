import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { statementOutside } from './migrate.js';

const apps = path.resolve(import.meta.dirname, '../../../../apps');
const files = readdirSync(apps)
  .map((app) => path.join(apps, app, 'prisma/migrations'))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name, 'migration.sql')))
  .filter((file) => existsSync(file));

test('every migration of the services is undone as a whole when it fails', () => {
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => statementOutside(readFileSync(file, 'utf8')) !== undefined)).toEqual([]);
});

test.each([
  'CREATE TABLE a (b TEXT);\ncreate unique index\n  concurrently "c" ON a (b);',
  '-- first\nCREATE INDEX CONCURRENTLY "c" ON a (b)',
  'DROP INDEX CONCURRENTLY c',
  'REINDEX TABLE CONCURRENTLY a',
  'REINDEX (VERBOSE) DATABASE d',
  'ALTER TABLE a DETACH PARTITION b CONCURRENTLY',
  'VACUUM a',
  'ALTER SYSTEM SET work_mem = 1',
  'CREATE DATABASE d',
  'BEGIN; SELECT 1',
  'DO $$ BEGIN PERFORM 1; END $$; COMMIT;',
  `SELECT 'it''s; --'; ROLLBACK`,
])('the statement in %j is not undone as a whole', (sql) => {
  expect(statementOutside(sql)).toBeDefined();
});

test.each([
  'CREATE INDEX "concurrently" ON a (b)',
  '-- not CONCURRENTLY: CREATE INDEX CONCURRENTLY\nCREATE INDEX c ON a (b);',
  '/* BEGIN; COMMIT; */ SELECT 1',
  "INSERT INTO a VALUES ('x; COMMIT; y')",
  `INSERT INTO a VALUES (E'\\'; COMMIT; y')`,
  'CREATE FUNCTION f() RETURNS void AS $body$ BEGIN NULL; END; $body$ LANGUAGE plpgsql;',
  'SAVEPOINT s; ROLLBACK TO s',
  'ALTER TABLE a ADD COLUMN "begin" TEXT; UPDATE a SET "commit" = 1',
])('the statement %j is undone as a whole', (sql) => {
  expect(statementOutside(sql)).toBeUndefined();
});
