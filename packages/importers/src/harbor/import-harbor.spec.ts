import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { ImportError } from '../framework/import-error.js';
import { importPack } from '../import-pack.js';
import { below, type Files, TASK, harborTask as task } from '../testing/harbor-task.js';
import { imported, importProblems } from '../testing/imported.js';
import { memorySource } from '../testing/memory-source.js';

const toml = (text: string) => task({ 'task.toml': text });

const oracleOf = ({ files }: Awaited<ReturnType<typeof task>>) =>
  parse(files.get('deployments.yaml') as string).deployments[0].config.by_case;

describe('a Harbor task', () => {
  test('a task becomes a challenge and a case, with its tests for the grader alone', async () => {
    const { pack, cases, files, warnings } = await task();
    expect(warnings).toEqual([]);
    expect(pack.challenges).toEqual([
      expect.objectContaining({
        key: 'folder',
        definition: { instructions: 'Write hello into hello.txt.' },
        grader_files: [
          { artifact_key: 'run.sh', path: 'run.sh' },
          { artifact_key: 'tests/test.sh', path: '/tests/test.sh' },
        ],
      }),
    ]);
    expect(cases).toEqual([
      expect.objectContaining({ challenge_key: 'folder', case_timeout_seconds: 600, payload: {} }),
    ]);
    expect(pack.version.filesystem?.working_directory).toBe('/work');
    expect(files.get('tasks/folder/run.sh')).toContain(
      'seconds=570\ncd /work || exit 1\ntimeout --kill-after=5 "$seconds" bash /tests/test.sh',
    );
  });

  test('the solution of a task is that of its challenge, and is played by a deployment', async () => {
    const result = await task({ 'solution/data.bin': Uint8Array.of(0, 255) });
    expect(result.files.get('pack.yaml')).not.toContain('echo hello');
    expect(result.pack.challenges[0]?.solution).toEqual({
      files: ['data.bin', 'solve.sh'].map((name) => ({
        path: `/solution/${name}`,
        asset: `solution/${name}`,
      })),
      run: 'bash /solution/solve.sh',
      timeout_seconds: 600,
    });
    expect(result.files.get('tasks/folder/solution/data.bin')).toEqual(Uint8Array.of(0, 255));
    const steps = oracleOf(result).folder;
    expect(
      steps.map((step: { call?: { arguments: { command: string[] } } }) =>
        step.call?.arguments.command.at(-1),
      ),
    ).toEqual(['AP8=', 'echo hello > hello.txt\n', '/solution/solve.sh', undefined]);
  });

  test('tokens in two braces reach an agent and the sandbox of the oracle as they are', async () => {
    const result = await task({
      'instruction.md': 'Print {{ name }}.',
      'solution/solve.sh': 'echo "{{ name }}"',
    });
    expect(result.pack.challenges[0]?.definition.instructions).toBe('{{instruction}}');
    expect(result.cases[0]?.payload).toEqual({ instruction: 'Print {{ name }}.' });
    expect(JSON.stringify(oracleOf(result))).not.toContain('{{');
  });

  test('every key of the schemas 1.0 to 1.4 has a fate, and others are listed as unknown', async () => {
    const { fates, cases, report } = await toml(`
version = "1.0"
source = "hub"
artifacts = ["/work/a.txt", {source = "/work/b"}]
multi_step_reward_strategy = "final"
novel = 1
[task]
name = "org/hello"
description = "d"
authors = [{name = "n"}]
keywords = ["k"]
[metadata]
difficulty = "extreme"
category = "shell"
tags = ["t"]
[agent]
timeout_sec = 90.5
user = "agent"
network_mode = "public"
[verifier]
timeout_sec = 30
user = "root"
environment_mode = "shared"
collect = [{command = "true"}]
[verifier.env]
KEY = "\${HOST_KEY}"
MODE = "\${MODE:-fast lane}"
[verifier.environment]
cpus = 1
[solution.env]
RESULT = "42"
[environment]
cpus = 2
memory_mb = 512
storage_mb = 100
gpus = 0
gpu_types = ["H100"]
os = "linux"
network_mode = "no-network"
allowed_hosts = ["a.org"]
build_timeout_sec = 1
workdir = "/srv/work"
skills_dir = "/skills"
future = true
[environment.env]
LANG = "C"
[environment.healthcheck]
command = "true"
`);
    expect(fates.sort()).toEqual(
      [
        'carried version',
        'dropped source',
        'carried artifacts[0]',
        'carried artifacts[1]',
        'carried multi_step_reward_strategy',
        'dropped novel',
        'carried task.name',
        'dropped task.description',
        'dropped task.authors',
        'dropped task.keywords',
        'changed metadata.difficulty',
        'carried metadata.category',
        'dropped metadata.tags',
        'carried agent.timeout_sec',
        'dropped agent.user',
        'dropped agent.network_mode',
        'carried verifier.timeout_sec',
        'dropped verifier.user',
        'changed verifier.environment_mode',
        'dropped verifier.collect',
        'dropped verifier.env.KEY',
        'changed verifier.env.MODE',
        'dropped verifier.environment',
        'carried solution.env.RESULT',
        'carried environment.cpus',
        'carried environment.memory_mb',
        'changed environment.storage_mb',
        'carried environment.gpus',
        'dropped environment.gpu_types',
        'carried environment.os',
        'carried environment.network_mode',
        'dropped environment.allowed_hosts',
        'dropped environment.build_timeout_sec',
        'carried environment.workdir',
        'changed environment.skills_dir',
        'dropped environment.future',
        'carried environment.env.LANG',
        'dropped environment.healthcheck',
        'changed FROM (line 1)',
        'carried WORKDIR (line 2)',
        'carried instruction.md',
        'carried tests/',
        'carried solution/',
        'carried /logs/verifier',
      ].sort(),
    );
    const unknown = report.items.filter(({ reason }) => reason === 'unknown key').map(({ key }) => key);
    expect(unknown).toEqual(['environment.future', 'novel']);
    expect(cases[0]).toMatchObject({
      case_timeout_seconds: 91,
      sandbox: { cpu: 2, memory_mb: 512, env_vars: { LANG: 'C' } },
    });
  });

  test('older spellings of memory and network are read', async () => {
    const { cases, pack } = await toml('[environment]\nmemory = "2G"\nallow_internet = true\n');
    expect(cases[0]?.sandbox).toEqual({ memory_mb: 2048 });
    expect(pack.version.sandbox?.network_access).toBe(true);
  });

  test('variables of the verifier are words of a shell, whatever they hold', async () => {
    const { files } = await toml(`[verifier.env]\nA = "x'; rm -rf / #"\nB = "$(id)"\n`);
    expect(files.get('tasks/folder/run.sh')).toContain(`export A='x'\\''; rm -rf / #'\nexport B='$(id)'\n`);
  });
});

describe('a Harbor task of several steps', () => {
  const STEPS: Files = {
    'task.toml':
      '[[steps]]\nname = "one"\nmin_reward = 0.5\n[steps.agent]\ntimeout_sec = 10\n[[steps]]\nname = "two"\n[steps.verifier]\ntimeout_sec = 5\n[steps.verifier.env]\nWHO = "you"\n',
    'environment/Dockerfile': 'FROM debian:12\nWORKDIR /work\n',
    'tests/helpers.sh': 'pass() { :; }',
    'steps/one/instruction.md': 'First.',
    'steps/one/solution/solve.sh': 'echo 1',
    'steps/one/tests/test.sh': 'echo 0',
    'steps/two/instruction.md': 'Then {{ this }}.',
    'steps/two/workdir/config.txt': 'c',
    'steps/two/workdir/setup.sh': 'rm -rf .',
    'steps/two/solution/solve.sh': 'echo 2',
    'steps/two/tests/test.sh': 'echo 1',
  };

  test('the steps are phases of one conversation, each graded by its own tests before the next', async () => {
    const result = await imported('harbor', memorySource(STEPS));
    const { pack, cases, files, fates } = result;
    expect(pack.version.execution_mode).toBe('native');
    expect(pack.challenges[0]).toMatchObject({ execution_mode: 'multi_turn', definition: {} });
    expect(cases[0]).toMatchObject({
      case_timeout_seconds: 610,
      payload: { message_2: 'Then {{ this }}.', workspace_files: [{ path: 'config.txt', content: 'c' }] },
      user_simulator: {
        phases: [
          { id: 'one', turns: [{ message: 'First.' }], gate: { validator: 'tests', min_score: 0.5 } },
          {
            ...{ id: 'two', trigger: 'on_gate_passed', gate: { validator: 'tests' } },
            turns: [{ message: '{{message_2}}' }],
          },
        ],
      },
    });
    const placed = pack.challenges[0]?.grader_files?.map(
      ({ artifact_key, path }) => `${artifact_key} ${path}`,
    );
    expect(placed).toEqual([
      'run.sh run.sh',
      'tests/helpers.sh /tests/helpers.sh',
      'tests/.steps /tests/.steps',
      'steps/one/test.sh steps/one/test.sh',
      'steps/two/test.sh steps/two/test.sh',
    ]);
    expect(files.get('tasks/folder/steps/two/test.sh')).toEqual(Buffer.from('echo 1'));
    expect(files.get('tasks/folder/run.sh')).toContain(
      'cp -rp "/grader/steps/$phase/." /tests/\ncase "$phase" in\none)\n  seconds=570\n  ;;\ntwo)\n  export WHO=you\n  seconds=5\n  ;;\nesac\n',
    );
    const ends = oracleOf(result).folder.filter((step: object) => 'message' in step);
    expect(ends).toHaveLength(2);
    const { steps } = pack.challenges[0]?.solution ?? {};
    expect(steps).toEqual(oracleOf(result).folder);
    expect(fates).toEqual(
      expect.arrayContaining([
        'carried steps[0].min_reward',
        'carried tests/',
        'dropped workdir/setup.sh',
        'changed workdir/config.txt',
      ]),
    );
    expect(pack.version.evaluation_spec.validators?.[0]?.config).not.toHaveProperty('phases');
  });

  test.each([
    ['min_reward = {reward = 0.5}', 'carried', { min_score: 0.5 }],
    ['min_reward = {style = 0.5}', 'dropped', {}],
    ['min_reward = 7', 'dropped', {}],
  ])('the bound %s is %s', async (written, fate, gate) => {
    const toml = `[[steps]]\nname = "one"\n${written}\n[[steps]]\nname = "two"\n`;
    const { cases, fates } = await imported('harbor', memorySource({ ...STEPS, 'task.toml': toml }));
    expect(cases[0]?.user_simulator?.phases[0]?.gate).toEqual({ validator: 'tests', ...gate });
    expect(fates).toContain(`${fate} steps[0].min_reward`);
  });

  test('the reward of the last step decides where all tasks of several steps want it', async () => {
    const final = { ...STEPS, 'task.toml': `multi_step_reward_strategy = "final"\n${STEPS['task.toml']}` };
    const phasesOf = async (files: Files) => {
      const { pack, fates } = await imported('harbor', memorySource(files));
      const [validator] = pack.version.evaluation_spec.validators ?? [];
      return [
        (validator?.config as { phases?: string } | undefined)?.phases,
        fates.filter((fate) => /strategy/.test(fate)),
      ];
    };
    const carried = 'carried multi_step_reward_strategy';
    expect(await phasesOf({ ...below('a', final), ...below('b', TASK) })).toEqual(['final', [carried]]);
    expect(await phasesOf({ ...below('a', final), ...below('b', STEPS) })).toEqual([
      undefined,
      [carried, 'changed multi_step_reward_strategy'],
    ]);
  });

  test('tasks of one step in the same pack stay what they are', async () => {
    const { cases, pack, report } = await imported(
      'harbor',
      memorySource({ ...below('a', STEPS), ...below('b', TASK) }),
    );
    expect(pack.challenges.map(({ definition, execution_mode }) => [definition, execution_mode])).toEqual([
      [{}, 'multi_turn'],
      [{ instructions: 'Write hello into hello.txt.' }, undefined],
    ]);
    expect(cases[1]?.user_simulator).toBeUndefined();
    expect(report.items.filter(({ key }) => key === 'instruction')).toEqual([]);
  });

  test('two steps of one name are refused', async () => {
    const toml = '[[steps]]\nname = "one"\n[[steps]]\nname = "one"\n';
    expect(await importProblems('harbor', memorySource({ ...STEPS, 'task.toml': toml }))).toEqual([
      expect.objectContaining({ field: 'steps[1].name' }),
    ]);
  });
});

describe('a folder that is no Harbor task', () => {
  const problems = (files: Files) => importProblems('harbor', memorySource(files));

  test('broken TOML is a problem with its line and column', async () => {
    expect(await problems({ ...TASK, 'task.toml': 'a = 1\nb = [1,\n' })).toEqual([
      expect.objectContaining({ file: 'task.toml', line: 3, column: 1 }),
    ]);
  });

  test.each([
    [{ 'task.toml': '[environment]\ncpus = "two"\n' }, { file: 'task.toml', field: 'environment.cpus' }],
    [{ 'task.toml': 'agent = 1\n' }, { file: 'task.toml', field: 'agent' }],
    [{ 'task.toml': '[[steps]]\nname = "../x"\n' }, { file: 'task.toml', field: 'steps[0].name' }],
    [{ 'task.toml': '[[steps]]\nname = "x"\n' }, { file: 'steps/x/instruction.md' }],
    [{ 'instruction.md': Uint8Array.of(255) }, { file: 'instruction.md' }],
    [{ 'environment/Dockerfile': 'x'.repeat(70_000) }, { file: 'environment/Dockerfile' }],
  ])('the files %j are refused with their location', async (files, location) => {
    expect(await problems({ ...TASK, ...files })).toEqual([expect.objectContaining(location)]);
  });

  test('a task without instruction, without tests, and a folder without a task are refused', async () => {
    const { 'instruction.md': _, ...withoutInstruction } = TASK;
    const { 'tests/test.sh': __, ...withoutTests } = TASK;
    expect(await problems(withoutInstruction)).toEqual([expect.objectContaining({ file: 'instruction.md' })]);
    expect(await problems(withoutTests)).toEqual([expect.objectContaining({ file: 'tests/test.sh' })]);
    expect(await problems({ 'a/b.txt': '' })).toEqual([
      expect.objectContaining({ message: expect.stringContaining('task.toml') }),
    ]);
  });

  test('what a pack does not allow is a problem of the task', async () => {
    const source = memorySource({
      ...below('a', TASK),
      ...below('b', { ...TASK, 'task.toml': '[agent]\ntimeout_sec = 1e18\n' }),
    });
    expect(await importProblems('harbor', source)).toMatchObject([
      { file: 'b/task.toml', message: expect.stringContaining('case_timeout_seconds of the pack') },
    ]);
  });

  test('arbitrary configurations and Dockerfiles are imported, or have a problem with a file', async () => {
    const keys = fc.constantFrom(
      '[environment]',
      '[[steps]]',
      '[verifier.env]',
      'cpus',
      'name',
      'steps',
      'artifacts',
      'env',
      'memory',
      'mcp_servers',
    );
    const values = fc.constantFrom(
      '=',
      '1',
      '"x"',
      '[',
      ']',
      '{',
      '}',
      '\n',
      ',',
      '1979-05-27',
      'nan',
      "'''",
      '"../.."',
      '9e999',
      '.',
    );
    const text = fc.array(fc.oneof(keys, values), { maxLength: 30 }).map((parts) => parts.join(' '));
    const lines = fc.constantFrom(
      'FROM debian',
      'RUN',
      'COPY',
      'ENV A',
      '\\\n',
      '<<EOF',
      '\n',
      '&&',
      '"',
      '[',
      '$X',
      ' ',
      '../..',
      'WORKDIR',
      '--from=',
    );
    const dockerfiles = fc.array(lines, { maxLength: 20 }).map((parts) => parts.join(' '));
    await fc.assert(
      fc.asyncProperty(text, dockerfiles, async (config, build) => {
        const source = memorySource({ ...TASK, 'task.toml': config, 'environment/Dockerfile': build });
        const options = { includeUnrunnable: 'true' };
        const error = await importPack('harbor', source, options).catch((caught: unknown) => caught);
        if (error instanceof Error) expect(error).toBeInstanceOf(ImportError);
      }),
      { numRuns: 200 },
    );
  });
});
