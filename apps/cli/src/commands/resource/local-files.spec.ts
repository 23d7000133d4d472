import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readDeploymentFile } from '../../deployment-file/read.js';
import { contentProblems } from './content-problems.js';
import { readLocalFiles } from './local-files.js';

describe('files that a deployment file brings along', () => {
  let root: string;
  let folder: string;

  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), 'agentclash-files-'));
    folder = path.join(root, 'deployments');
    mkdirSync(path.join(folder, 'src'), { recursive: true });
    writeFileSync(path.join(folder, 'src/agent.py'), 'print(1)');
    writeFileSync(path.join(root, 'secret.txt'), 'secret');
    symlinkSync(path.join(root, 'secret.txt'), path.join(folder, 'link.txt'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const read = (from: string) =>
    readLocalFiles(
      readDeploymentFile(
        `name: a\nkind: program\nconfig:\n  command: [python3, agent.py]\n  files: [{path: agent.py, from: ${JSON.stringify(from)}}]\n`,
      ),
      folder,
    );

  test('files of a deployment file are read from its folder and below it', async () => {
    const { contents, problems } = await read('src/agent.py');
    expect(problems).toEqual([]);
    expect(new TextDecoder().decode(contents.bytesOf('src/agent.py'))).toBe('print(1)');
  });

  test('files with a similar name in the folder are suggested, and no others', async () => {
    const { problems } = await read('src/agnt.py');
    expect(problems).toMatchObject([
      {
        code: 'unknown_reference',
        suggestion: 'src/agent.py',
        message: 'there is no file src/agnt.py beside it; did you mean src/agent.py?',
      },
    ]);
    const elsewhere = await read('../secret.tx');
    expect(elsewhere.problems).toMatchObject([{ message: 'there is no file ../secret.tx beside it' }]);
  });

  test.each(['../secret.txt', '/etc/hostname', 'src/../../secret.txt', 'link.txt'])(
    'files outside of the folder are not read: %s is a problem with its line',
    async (from) => {
      const { contents, problems } = await read(from);
      expect(() => contents.bytesOf(from)).toThrow('was not read');
      expect(problems).toEqual([
        expect.objectContaining({
          message: expect.stringMatching(/is not in the folder of this file/),
          line: 5,
        }),
      ]);
    },
  );

  test('files that do not exist are named', async () => {
    const { problems } = await read('missing.py');
    expect(problems).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/there is no file missing\.py/) }),
    ]);
  });
});

describe('skills, texts and documents beside a deployment file', () => {
  let folder: string;
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'agentclash-skills-'));
    put('skills/x/SKILL.md', 'Be brief.');
    put('skills/x/scripts/run.sh', 'true');
    put('AGENTS.md', 'Run the tests.');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const read = async (config: string) => {
    const text = `name: a\nkind: program\nconfig: {models: {main: m}, ${config}}\n`;
    const file = readDeploymentFile(text);
    const { contents, problems } = await readLocalFiles(file, folder);
    const inside = problems.length > 0 ? [] : contentProblems(file, contents);
    return { contents, messages: [...problems, ...inside].map(({ message }) => message) };
  };

  test('a skill is all files of its folder', async () => {
    const { contents, messages } = await read('preset: codex, skills: [./skills/x]');
    expect(messages).toEqual([]);
    expect(contents.skillFiles('./skills/x')).toEqual([
      { path: 'SKILL.md', from: 'skills/x/SKILL.md' },
      { path: 'scripts/run.sh', from: 'skills/x/scripts/run.sh' },
    ]);
    expect(new TextDecoder().decode(contents.bytesOf('skills/x/scripts/run.sh'))).toBe('true');
  });

  test('a folder without SKILL.md, a file and a missing folder are no skills', async () => {
    put('skills/y/README.md', 'y');
    const { messages } = await read('preset: codex, skills: [skills/y, skills/x/SKILL.md, skills/z]');
    expect(messages).toEqual([
      'skills/y has no file SKILL.md',
      'skills/x/SKILL.md is a file: a skill is a folder with a SKILL.md',
      'there is no folder skills/z beside it; did you mean skills/x?',
    ]);
  });

  test('a skill with a link to a file elsewhere, or with too many files, is refused', async () => {
    symlinkSync('/etc/hostname', path.join(folder, 'skills/x/host'));
    for (let n = 0; n < 501; n += 1) put(`skills/many/${n}`, '');
    const { messages } = await read('preset: codex, skills: [skills/x, skills/many]');
    expect(messages).toEqual([
      'skills/x/host is not in the folder of this file, or below it: copy it there',
      'skills/many has more than 500 files',
    ]);
  });

  test('a text that is no UTF-8 or too long is refused', async () => {
    put('binary.md', new Uint8Array([0xff, 0xfe]));
    put('long.md', 'a'.repeat(262_145));
    put('huge.md', 'a'.repeat(1_048_577));
    expect((await read('preset: codex, instructions_file: AGENTS.md')).messages).toEqual([]);
    const refused = await Promise.all(
      ['binary.md', 'long.md', 'huge.md'].map((name) => read(`preset: codex, instructions_file: ${name}`)),
    );
    expect(refused.map(({ messages }) => messages)).toEqual([
      ['binary.md is not a text in UTF-8'],
      ['long.md must have at most 262144 characters'],
      ['huge.md has more than 1.0 MiB'],
    ]);
  });

  test('problems of a preset document are reported with their lines in it', async () => {
    put('mine.yaml', 'name: mine\ntitle: Mine\nwires: [chat]\ncommand: [x]\n');
    put('odd.yaml', 'name: odd\ntitle: Odd\nwires: [chat, soap]\ncolour: red\n');
    put('broken.yaml', 'name: [');
    expect((await read('preset_file: mine.yaml')).messages).toEqual([]);
    expect((await read('preset_file: odd.yaml')).messages).toEqual([
      expect.stringMatching(/^odd\.yaml:3 wires\[1\]: must be /),
      expect.stringMatching(/^odd\.yaml:1 command: is missing/),
      expect.stringMatching(/^odd\.yaml:4 colour: is not known here/),
    ]);
    expect((await read('preset_file: broken.yaml')).messages).toEqual([
      expect.stringMatching(/^broken\.yaml: /),
    ]);
  });
});
