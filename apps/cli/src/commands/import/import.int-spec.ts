import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { command, emptyFolder, removeFolders } from '../../testing/command.js';
import { IMPORT_KINDS } from '../../tree/imports.js';

afterAll(removeFolders);

function folderWithRows(): string {
  const cwd = emptyFolder();
  writeFileSync(path.join(cwd, 'rows.csv'), 'question,answer,topic\n1+1?,2,sums\n2+2?,4,sums\n');
  return cwd;
}

describe('agentclash import', () => {
  test('the written folder holds a valid pack, its schema and the report', async () => {
    const cwd = folderWithRows();
    expect(await command(['import', 'csv', 'rows.csv', '-o', 'deep/pack'], { cwd })).toMatchObject({
      code: 0,
    });
    const validated = await command(['challenge-pack', 'validate', 'deep/pack/pack.yaml', '--strict'], {
      cwd,
    });
    expect(validated).toMatchObject({ code: 0, stdout: expect.stringContaining('valid') });
    const report = JSON.parse(readFileSync(path.join(cwd, 'deep/pack/import-report.json'), 'utf8'));
    expect(report).toMatchObject({
      kind: 'csv',
      items: [{ key: 'question' }, { key: 'answer' }, { key: 'topic' }],
    });
    expect(existsSync(path.join(cwd, 'deep/pack/challenge-pack.schema.json'))).toBe(true);
  });

  test('an import with --strict writes nothing when it loses something', async () => {
    const cwd = folderWithRows();
    const words = ['import', 'csv', 'rows.csv', '-o', 'pack', '--strict'];
    expect(await command(words, { cwd })).toMatchObject({ code: 2 });
    expect(existsSync(path.join(cwd, 'pack'))).toBe(false);
    expect(await command([...words, '--show', 'topic'], { cwd })).toMatchObject({ code: 0 });
  });

  test('a forced import replaces a link and leaves its target as it was', async () => {
    const cwd = folderWithRows();
    const target = path.join(emptyFolder(), 'target');
    writeFileSync(target, 'precious');
    symlinkSync(target, path.join(cwd, 'pack.yaml'));
    const words = ['import', 'csv', 'rows.csv', '-o', '.'];
    expect(await command(words, { cwd })).toMatchObject({ code: 64 });
    expect(await command([...words, '--force'], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(readFileSync(path.join(cwd, 'pack.yaml'), 'utf8')).toContain('slug: rows');
  });

  test('an import without a task that can run here is refused with the reasons and the next step', async () => {
    const cwd = emptyFolder();
    for (const folder of ['environment', 'tests'])
      mkdirSync(path.join(cwd, 'task', folder), { recursive: true });
    writeFileSync(path.join(cwd, 'task', 'task.toml'), '[environment]\ngpus = 1\n');
    writeFileSync(path.join(cwd, 'task', 'instruction.md'), 'Train.');
    writeFileSync(path.join(cwd, 'task', 'tests', 'test.sh'), 'true');
    const words = ['import', 'harbor', 'task', '-o', 'pack'];
    const refused = await command(words, { cwd });
    expect(refused).toMatchObject({ code: 64 });
    expect(refused.stderr).toContain('task: task.toml: it needs 1 GPU');
    expect(refused.stderr).toContain('--include-unrunnable');
    expect(existsSync(path.join(cwd, 'pack'))).toBe(false);
    expect(await command([...words, '--include-unrunnable'], { cwd })).toMatchObject({ code: 0 });
    expect(existsSync(path.join(cwd, 'pack/pack.yaml'))).toBe(true);
  });

  test('the commands have every kind of the importers', async () => {
    const importers = await import('@agentclash/importers');
    expect(Object.keys(IMPORT_KINDS)).toEqual(importers.IMPORT_KINDS);
  });
});
