import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { NaivePack } from './naive-document.js';

/** Packs whose workspace is a Git repository with the expected output in an older commit. */
export function historyPacks(): Readonly<Record<string, NaivePack>> {
  const beside = repository();
  const common: NaivePack = {
    instructions: 'Write the name of the largest animal into the file animal.txt, and reply with it.',
    ...{ requires: ['git'], output: 'animal.txt', beside },
    workspace: { 'animal.txt': 'to be written\n' },
  };
  return {
    named_in_history: {
      ...common,
      validators: [
        { key: 'name', type: 'contains', target: 'final_output', expected_from: 'literal:blue whale' },
      ],
    },
    file_in_history: { ...common, command: 'grep -q "^blue whale$" animal.txt' },
  };
}

/** The files of `.git` by path, relative to the workspace. */
function repository(): Map<string, Uint8Array> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-history-'));
  const git = (...args: string[]) => {
    const author = ['-c', 'user.name=Author', '-c', 'user.email=author@example.com'];
    execFileSync('git', ['-C', folder, ...author, ...args], { stdio: 'ignore' });
  };
  try {
    mkdirSync(path.join(folder, 'templates'));
    git('init', '--quiet', `--template=${path.join(folder, 'templates')}`);
    for (const text of ['blue whale\n', 'to be written\n']) {
      writeFileSync(path.join(folder, 'animal.txt'), text);
      git('add', 'animal.txt');
      git('commit', '--quiet', '--message', 'Change the animal');
    }
    const names = readdirSync(path.join(folder, '.git'), { recursive: true, encoding: 'utf8' });
    const files = names
      .map((name) => path.join('.git', name))
      .filter((name) => statSync(path.join(folder, name)).isFile());
    return new Map(files.map((name) => [name, readFileSync(path.join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
