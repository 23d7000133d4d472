import { ImportError } from '../framework/import-error.js';
import type { ImportSource } from '../framework/import-source.js';
import { type Importer, type ImportRequest, PACK_FILE, type PackFiles } from '../framework/importer.js';
import { Losses } from '../framework/loss-report.js';
import { type Candidate, setsOfRunnable, withoutUnrunnable } from '../framework/unrunnable.js';
import { slugOf, slugOfFile, titleOf } from '../writing/names.js';
import { packYaml, yamlText } from '../writing/pack-yaml.js';
import { GRADE_SCRIPT } from './grader.js';
import { type Instance, isForPytest, readInstance } from './instance.js';
import { readInstances } from './read-instances.js';

const GRADE_FILE = 'grade.py';
const PATCH_FILE = 'solution.patch';

/** An instance with the file of its repository, where there is one. */
interface Imported extends Candidate {
  instance: Instance;
  snapshot?: Uint8Array;
}

const INSTRUCTIONS = `The folder repo is for the repository {{repo}} at the commit {{base_commit}}. If it is not there yet, unpack it:

    mkdir -p repo && tar -xzf snapshots/{{instance_id}}.tar.gz -C repo

Resolve the following issue by changing files in repo. Tests that you do not see decide; changes to existing test files
are undone before they run.

{{problem_statement}}
`;

/** Instances of SWE-bench as cases: the issue for the agent, the tests for the verifier, the solution for the oracle. */
export const importSwebench: Importer = async (request) => {
  const { source, options, losses, origins } = request;
  const { rows, file, columns } = await readInstances(source);
  reportColumns(columns, { file, losses });
  const ids = new Set<string>();
  const chosen = options.instances?.split(',').map((id) => id.trim());
  const candidates: Imported[] = [];
  for (const { row, location } of rows) {
    const instance = readInstance(row, location);
    if (ids.has(instance.id))
      throw new ImportError({ ...location, field: 'instance_id', message: 'the id is repeated' });
    ids.add(instance.id);
    origins.set(instance.id, location);
    if (chosen && !chosen.includes(instance.id)) continue;
    candidates.push(await withSnapshot(instance, { source, file }));
  }
  reportChoice({ chosen, ids, file, losses });
  const imported = withoutUnrunnable(candidates, request);
  const slug = slugOf(slugOfFile(file.split('/').at(-1) ?? file));
  const files: PackFiles = new Map();
  files.set(PACK_FILE, packText(imported, { slug, file, isWhole: imported.length === candidates.length }));
  files.set(GRADE_FILE, GRADE_SCRIPT);
  files.set('deployments.yaml', deployments(imported, slug));
  files.set('README.md', readme(candidates, { slug, included: imported }));
  for (const { instance, snapshot } of imported) {
    const { id, testPatch, failToPass: fail_to_pass, passToPass: pass_to_pass } = instance;
    files.set(`instances/${id}/test.patch`, testPatch);
    files.set(
      `instances/${id}/instance.json`,
      `${JSON.stringify({ fail_to_pass, pass_to_pass }, null, 2)}\n`,
    );
    if (hasSolution(instance)) files.set(`instances/${id}/${PATCH_FILE}`, instance.patch);
    if (snapshot) files.set(snapshotPath(instance), snapshot);
  }
  return files;
};

function hasSolution({ patch }: Instance): boolean {
  return patch.trim() !== '';
}

function snapshotPath({ id }: Instance): string {
  return `snapshots/${id}.tar.gz`;
}

interface Choice {
  chosen: readonly string[] | undefined;
  ids: ReadonlySet<string>;
  file: string;
  losses: ImportRequest['losses'];
}

function reportChoice({ chosen, ids, file, losses }: Choice): void {
  const unknown = chosen?.find((id) => !ids.has(id));
  if (unknown !== undefined) throw new ImportError({ file, message: `there is no instance ${unknown}` });
  const left = chosen === undefined ? 0 : ids.size - new Set(chosen).size;
  if (left > 0) losses.dropped(file, 'instances', `${left} further instances are not named by --instances`);
}

interface SnapshotOptions {
  source: ImportSource;
  file: string;
}

/** Looks for the repository beside the instances. Archives are copied and never opened. */
async function withSnapshot(instance: Instance, { source, file }: SnapshotOptions): Promise<Imported> {
  const path = snapshotPath(instance);
  const found = await source.find(path);
  const where = instance.id;
  const losses = new Losses();
  const missing: string[] = [];
  if (found) losses.carried(where, path, `the repository, staged for the agent as ${path}`);
  else {
    const reason = `repositories are not fetched: put ${instance.repo} at ${instance.baseCommit} as ${path} beside the instances and import again`;
    losses.dropped(where, 'repo', reason);
    missing.push(reason);
  }
  if (!isForPytest(instance)) {
    const reason = 'names of another test runner than pytest: the verifier cannot select them';
    losses.dropped(where, 'FAIL_TO_PASS', reason);
    missing.push(reason);
  }
  if (!hasSolution(instance))
    losses.dropped(where, 'patch', 'the instance has no solution, and the oracle no steps for it');
  const snapshot = found && { snapshot: await source.read(path) };
  return { instance, ...snapshot, missing, losses, where: file, key: instance.id };
}

const LOCATIONS: Readonly<Record<string, string>> = {
  instance_id: 'case_key',
  repo: 'payload.repo',
  base_commit: 'payload.base_commit',
  problem_statement: 'payload.problem_statement, the instruction',
  patch: "the solution of the case, and the oracle's steps in deployments.yaml",
  test_patch: 'test.patch of the verifier',
  FAIL_TO_PASS: 'instance.json of the verifier',
  PASS_TO_PASS: 'instance.json of the verifier',
};

const LOST: Readonly<Record<string, string>> = {
  version: 'the dependencies of a version must be in the sandbox: additional_packages, or a template',
  environment_setup_commit: 'no environment is built: additional_packages, or a template',
  hints_text: 'hints are not shown to agents',
  created_at: 'a pack has no such field',
  difficulty: 'the difficulty of a pack is that of a challenge, which all instances share',
};

function reportColumns(
  columns: readonly string[],
  { file, losses }: { file: string; losses: ImportRequest['losses'] },
): void {
  for (const column of columns) {
    if (Object.hasOwn(LOCATIONS, column)) losses.carried(file, column, LOCATIONS[column] ?? '');
    else losses.dropped(file, column, (Object.hasOwn(LOST, column) && LOST[column]) || 'unknown column');
  }
}

function packText(
  imported: readonly Imported[],
  { slug, file, isWhole }: { slug: string; file: string; isWhole: boolean },
): string {
  return packYaml(
    {
      pack: { slug, name: titleOf(slug), family: 'swebench' },
      version: {
        number: 1,
        execution_mode: 'native',
        tool_policy: { allow_shell: true },
        sandbox: { additional_packages: ['git', 'patch', 'python3', 'python3-pytest'] },
        assets: [{ key: GRADE_FILE, path: GRADE_FILE }],
        grader_files: [{ artifact_key: GRADE_FILE }],
        evaluation_spec: {
          name: slug,
          version_number: 1,
          judge_mode: 'deterministic',
          validators: [
            {
              key: 'tests',
              type: 'code_execution',
              config: {
                test_command: 'python3 -I /grader/grade.py',
                timeout_ms: 580_000,
                reports: [{ path: '/tmp/reward.json', format: 'reward_json', metric: 'reward' }],
                pass_threshold: 1,
              },
            },
          ],
          scorecard: {
            strategy: 'weighted',
            pass_threshold: 1,
            dimensions: [{ key: 'resolved', source: 'validators', validators: ['tests'] }],
          },
        },
      },
      challenges: [
        {
          key: 'resolve',
          title: 'Resolve an issue',
          category: 'coding',
          difficulty: 'hard',
          instructions: INSTRUCTIONS,
        },
      ],
      input_sets: setsOfRunnable(imported, { caseOf, isWhole }),
    },
    [
      `Imported from ${file}.`,
      'Repositories are not fetched: README.md lists those that are missing, and where to put them.',
    ],
  );
}

function caseOf({ instance, snapshot }: Imported): Record<string, unknown> {
  const { id, repo, baseCommit, problem } = instance;
  const names = ['test.patch', 'instance.json', ...(snapshot ? ['snapshot.tar.gz'] : [])];
  const pathOf = (name: string) =>
    name === 'snapshot.tar.gz' ? snapshotPath(instance) : `instances/${id}/${name}`;
  return {
    challenge_key: 'resolve',
    case_key: id,
    payload: { instance_id: id, repo, base_commit: baseCommit, problem_statement: problem },
    assets: [...names, ...(hasSolution(instance) ? [PATCH_FILE] : [])].map((name) => ({
      key: name,
      path: pathOf(name),
    })),
    ...(snapshot && { artifacts: [{ key: 'snapshot.tar.gz' }] }),
    grader_files: names.map((name) => ({ artifact_key: name, path: name })),
    ...(hasSolution(instance) && {
      solution: {
        files: [{ path: `/tmp/${PATCH_FILE}`, asset: PATCH_FILE }],
        run: `${unpacking(instance)} && patch -p1 -d repo < /tmp/${PATCH_FILE}`,
      },
    }),
  };
}

function unpacking(instance: Instance): string {
  return `mkdir -p repo && tar -xzf ${snapshotPath(instance)} -C repo`;
}

function deployments(imported: readonly Imported[], slug: string): string {
  const exec = (...command: string[]) => ({ call: { name: 'exec', arguments: { command } } });
  const byCase = Object.fromEntries(
    imported
      .filter(({ instance }) => hasSolution(instance))
      .map(({ instance }) => [
        instance.id,
        [
          exec('sh', '-c', unpacking(instance)),
          exec(
            'sh',
            '-c',
            'printf %s "$1" | base64 -d | patch -p1 -d repo',
            'sh',
            Buffer.from(instance.patch).toString('base64'),
          ),
          { call: { name: 'submit', arguments: { answer: 'The patch of the data set is applied.' } } },
        ],
      ]),
  );
  const document = {
    deployments: [
      { name: `${slug}-oracle`, kind: 'scripted', config: { by_case: byCase } },
      { name: `${slug}-noop`, kind: 'scripted', config: { steps: [] } },
    ],
  };
  return `# ${slug}-oracle applies the solutions of the data set; ${slug}-noop does nothing.\n${yamlText(document)}`;
}

function readme(
  candidates: readonly Imported[],
  { slug, included }: { slug: string; included: readonly Imported[] },
): string {
  const missing = candidates.filter(({ snapshot }) => snapshot === undefined);
  const runnable = candidates.filter((each) => each.missing.length === 0);
  const set = runnable.length > 0 && runnable.length < included.length ? ' --input-set runnable' : '';
  const lines = [
    `# ${candidates.length} instances`,
    '',
    `${runnable.length} of them have their repository and tests that pytest runs.`,
    ...(included.length < candidates.length ? ['The others are not in the pack.'] : []),
    '',
    ...(missing.length > 0
      ? [
          'Repositories are not fetched. Put each as an archive of its files (`git archive --format=tar.gz COMMIT`) beside the',
          'file of the instances, and import again:',
          '',
          '| Repository | Commit | File |',
          '|---|---|---|',
          ...missing.map(
            ({ instance }) => `| ${instance.repo} | ${instance.baseCommit} | ${snapshotPath(instance)} |`,
          ),
          '',
        ]
      : []),
    'What the tests import must be in the sandbox too: `additional_packages` of the pack, or a template.',
    '',
    `1. \`agentclash challenge-pack publish pack.yaml\``,
    '2. `agentclash apply -f deployments.yaml`',
    `3. \`agentclash run start --pack ${slug}${set} --deployment ${slug}-oracle ${slug}-noop --follow\``,
    '',
  ];
  return lines.join('\n');
}
