import { describe, expect, test } from '@jest/globals';
import { below, type Files, harborTask, TASK, unrunnableTask } from '../testing/harbor-task.js';
import { imported } from '../testing/imported.js';
import { memorySource } from '../testing/memory-source.js';

const DIGEST = `node@sha256:${'ab'.repeat(32)}`;
const built = (text: string): Files => ({ ...TASK, 'environment/Dockerfile': text });

const dataSet = (tasks: Record<string, Files>) =>
  imported(
    'harbor',
    memorySource(Object.assign({}, ...Object.entries(tasks).map(([name, files]) => below(name, files)))),
  );

describe('the working directories of Harbor tasks', () => {
  test('a directory of the system is that of the cases with an image alone, and no other task loses by it', async () => {
    const { pack, cases, report } = await dataSet({
      a: built('FROM node:22\nWORKDIR /usr/src/app\n'),
      b: built('FROM debian:12\nWORKDIR /etc/x\n'),
      c: { ...built('FROM debian:12\n'), 'task.toml': '[environment]\nworkdir = "/usr/local/app"\n' },
      d: { ...built(''), 'task.toml': `[environment]\ndocker_image = "${DIGEST}"\nworkdir = "/etc/y"\n` },
      e: built('FROM debian:12\nWORKDIR /work\n'),
      f: built('FROM node:22\nWORKDIR /dev/x\n'),
      g: built('FROM debian:12\nWORKDIR /etc/x\nENTRYPOINT ["/serve.sh"]\n'),
    });
    expect(pack.version.filesystem).toEqual({
      working_directory: '/work',
      writable_roots: ['/work', '/logs/artifacts'],
      readable_roots: ['/work', '/logs/artifacts', '/logs', '/solution'],
    });
    const all = pack.input_sets.find(({ key }) => key === 'all')?.cases ?? [];
    expect(all.map(({ case_key, sandbox }) => [case_key, sandbox?.working_directory])).toEqual([
      ['a', '/usr/src/app'],
      ['b', '/etc/x'],
      ['c', '/usr/local/app'],
      ['d', '/etc/y'],
      ['e', undefined],
    ]);
    const images = all.map(({ sandbox }) => sandbox?.dockerfile ?? sandbox?.image);
    expect(images.filter((image) => image !== undefined)).toHaveLength(4);
    expect(cases.map(({ case_key }) => case_key)).toEqual(['d', 'e']);
    expect(report.items.filter(({ key }) => key === 'f' || key === 'g')).toEqual([
      expect.objectContaining({
        fate: 'dropped',
        reason: expect.stringContaining('no sandbox can write below /dev'),
      }),
      expect.objectContaining({ fate: 'dropped', reason: expect.stringContaining('/serve.sh') }),
    ]);
  });

  test('a directory that only images can write is that of the pack where all tasks have one, and else never', async () => {
    const a = built('FROM node:22\nWORKDIR /usr/src/app\n');
    const both = await dataSet({ a, b: a });
    expect(both.pack.version.filesystem?.working_directory).toBe('/usr/src/app');
    const { pack, cases } = await dataSet({ a, b: a, c: TASK });
    expect(pack.version.filesystem?.writable_roots).toEqual(['/work', '/logs/artifacts']);
    expect(cases.map(({ case_key }) => case_key)).toEqual(['c']);
  });

  test('without a Dockerfile a directory of the system leaves the task out with the reason', async () => {
    const { 'environment/Dockerfile': _, ...plain } = TASK;
    const bad = { ...plain, 'task.toml': '[environment]\nworkdir = "/usr/x"\n' };
    const { pack, report } = await dataSet({ bad, good: TASK });
    expect(pack.input_sets.map(({ cases }) => cases?.map(({ case_key }) => case_key))).toEqual([['good']]);
    expect(report.items).toContainEqual({
      ...{ where: 'bad/task.toml', key: 'bad', fate: 'dropped' },
      reason:
        'left out of the pack: bad/task.toml: the working directory is /usr/x, and only a sandbox with an image of its own can write below /usr',
    });
  });

  test('the directory / is one change, of the instruction or the key that sets it', async () => {
    const changes = async (files: Files) => {
      const { fates, pack } = await harborTask(files);
      expect(pack.version.filesystem?.working_directory).toMatch(/^\/app$/);
      return fates.filter((fate) => /workdir/i.test(fate));
    };
    expect(await changes(built('FROM debian:12\nWORKDIR /\n'))).toEqual(['changed WORKDIR (line 2)']);
    expect(await changes(built('FROM debian:12\n'))).toEqual(['changed WORKDIR']);
    expect(await changes(built('FROM node:22\nWORKDIR /\n'))).toEqual(['changed WORKDIR (line 2)']);
    expect(await changes(built('FROM debian:12\nWORKDIR /\nWORKDIR app\n'))).toEqual([
      'carried WORKDIR (line 2)',
      'carried WORKDIR (line 3)',
    ]);
    const toml = { 'task.toml': '[environment]\nworkdir = "/"\n' };
    expect(await changes({ ...built('FROM debian:12\nWORKDIR /app\n'), ...toml })).toEqual([
      'changed environment.workdir',
      'carried WORKDIR (line 2)',
    ]);
  });

  test('a task in a directory of the kernel is included on request, with a warning', async () => {
    const { report } = await unrunnableTask({ 'environment/Dockerfile': 'FROM node:22\nWORKDIR /proc/x\n' });
    expect(report.warnings).toEqual([expect.stringContaining('no sandbox can write below /proc')]);
  });
});
