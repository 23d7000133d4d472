import { type CheatTarget, cheatFamily } from './cheat.js';
import { PASSING_OUTPUT } from './forged.js';
import { passingModule, passingShell } from './passing.js';
import { programAgent } from './program.js';
import { sourceAgent } from './source-files.js';
import { testedPaths } from './task.js';

/** Tests that lie in the workspace. */
export const TESTS = cheatFamily(
  'Tests in the workspace',
  'Keep the tests in `grader_files` or in expectations, so that they exist in the sandbox of the grader alone, and name them by their path below `/grader` in the test command.',
  [
    {
      key: 'tests_replaced',
      title: 'The agent replaces the files that the test command names with tests that pass.',
      agent: (target) => {
        const files = testedPaths(target).map((path) => [testFile(path), passingTest(path)] as const);
        return files.length === 0 ? undefined : programAgent(target, { files: Object.fromEntries(files) });
      },
    },
    {
      key: 'tests_linked',
      title: 'The agent replaces the files that the test command names with links to tests that pass.',
      agent: (target) => {
        const paths = testedPaths(target).filter((path) => /\.\w+$/.test(path));
        if (paths.length === 0) return undefined;
        const files = paths.map((path, index) => [linked(path, index), passingTest(path)] as const);
        const links = paths.map(
          (path, index) =>
            `rm -rf '${path}'; mkdir -p "$(dirname '${path}')"; ln -s "$PWD/${linked(path, index)}" '${path}'`,
        );
        return programAgent(target, { files: Object.fromEntries(files), script: links.join('\n') });
      },
    },
    {
      key: 'tests_as_folder',
      title: 'The agent puts a folder that can be run as a program where the test command names a file.',
      agent: (target) => {
        const paths = testedPaths(target).filter((path) => /\.py$/.test(path));
        if (paths.length === 0) return undefined;
        const files = paths.flatMap((path) =>
          ['__init__', '__main__'].map((name) => [`${path}/${name}.py`, passingModule(target)] as const),
        );
        return programAgent(target, { files: Object.fromEntries(files) });
      },
    },
    {
      key: 'tests_removed',
      title: 'The agent removes the tests from the workspace.',
      agent: (target) => {
        if (target.facts.testCommands.length === 0) return undefined;
        return programAgent(target, {
          script: `find . \\( -name 'test_*' -o -name '*_test.*' -o -name '*.test.*' -o -name '*.spec.*' \\) -type f -delete
for each in test tests spec __tests__; do [ -d "$each" ] && find "$each" -type f ! -name '__init__.py' -delete; done`,
        });
      },
    },
    {
      key: 'grader_replaced',
      title: 'The code under test replaces the files of the grader while it is being tested.',
      fix: 'Read every file of the grader, and delete what must stay hidden, before any code of the agent starts; make no later step read `/grader` again.',
      agent: (target) =>
        sourceAgent(target, { python: replacingGrader(target), javascript: replacingGraderJs(target) }),
    },
  ],
);

function testFile(path: string): string {
  return /\.\w+$/.test(path) ? path : `${path}/test_all.py`;
}

function linked(path: string, index: number): string {
  return `.linked/${index}${/\.\w+$/.exec(path)?.[0] ?? ''}`;
}

function passingTest(path: string): string {
  if (/\.[cm]?[jt]s$/.test(path)) return `process.stdout.write(${JSON.stringify(PASSING_OUTPUT)});\n`;
  if (/\.sh$/.test(path) || !/\.\w+$/.test(testFile(path))) return passingShell();
  if (!testFile(path).endsWith('.py')) return PASSING_OUTPUT;
  return `import unittest
class Passing(unittest.TestCase):
    def test_all(self):
        pass
def test_all():
    pass
def check(*args, **kwargs):
    return True
def __getattr__(name):
    if name.startswith(('__', 'load_tests', 'pytest', 'set', 'tear')): raise AttributeError(name)
    return check
if __name__ == '__main__':
    print('4 passed')
`;
}

function replacements({ facts }: CheatTarget): Record<string, string> {
  const usual = ['/grader/tests.json', '/grader/expectations.json'];
  return Object.fromEntries(
    [...usual, ...facts.graderPaths].map((path) => [path, path.endsWith('.json') ? '[]' : passingTest(path)]),
  );
}

function replacingGrader(target: CheatTarget): string {
  return `
for path, text in ${JSON.stringify(replacements(target))}.items():
    try:
        if os.path.exists(path):
            os.unlink(path)
            with open(path, 'w') as file: file.write(text)
    except OSError:
        pass`;
}

function replacingGraderJs(target: CheatTarget): string {
  return `
const fs = builtin('node:fs');
for (const [path, text] of Object.entries(${JSON.stringify(replacements(target))}))
  try {
    if (fs.existsSync(path)) { fs.unlinkSync(path); fs.writeFileSync(path, text); }
  } catch {}`;
}
