import { describe, expect, test } from '@jest/globals';
import { below, type Files, TASK, harborTask as task, unrunnableTask } from '../testing/harbor-task.js';
import { imported, importProblems } from '../testing/imported.js';
import { memorySource } from '../testing/memory-source.js';

const dockerfile = (text: string, files: Files = {}) => task({ 'environment/Dockerfile': text, ...files });

describe('the environment of a Harbor task', () => {
  test('Debian packages, variables and text files of a Dockerfile become those of the sandbox', async () => {
    const { pack, cases, report } = await dockerfile(
      `FROM python:3.12-slim
ENV DEBIAN_FRONTEND=noninteractive MODE="a b"
RUN apt-get update && apt-get install -y --no-install-recommends \\
    curl jq=1.6 \\
    && rm -rf /var/lib/apt/lists/*
RUN pip install numpy==2.0.0
WORKDIR /work
COPY src/ ./src/
COPY *.csv notes.md data/
CMD ["bash"]
`,
      { 'environment/src/a.py': 'a', 'environment/x.csv': 'x', 'environment/notes.md': 'n' },
    );
    expect(report.warnings).toEqual([]);
    expect(pack.version.sandbox?.additional_packages).toEqual(['curl', 'jq', 'python3', 'python3-numpy']);
    expect(cases[0]?.sandbox?.env_vars).toEqual({ DEBIAN_FRONTEND: 'noninteractive', MODE: 'a b' });
    expect(cases[0]?.payload.workspace_files).toEqual([
      { path: 'src/a.py', content: 'a' },
      { path: 'data/x.csv', content: 'x' },
      { path: 'data/notes.md', content: 'n' },
    ]);
  });

  test.each([
    ['FROM node:22\nWORKDIR /work\n', 'node:22'],
    ['FROM debian:12 AS build\nWORKDIR /other\nFROM debian:12\nWORKDIR /work\n', 'several stages'],
    ['FROM debian:12\nRUN make install\nWORKDIR /work\n', 'make install'],
    ['FROM debian:12\nWORKDIR /work\nCOPY --from=ghcr.io/x/uv /uv /bin/\n', 'needs an image'],
    ['FROM debian:12\nWORKDIR /work\nCOPY a.bin /opt/\n', '/opt is outside'],
    ['FROM debian:12\nRUN pip install left-pad-of-python\nWORKDIR /work\n', 'left-pad-of-python'],
  ])('an image is built of the Dockerfile %j, with the files beside it', async (text, reason) => {
    const { pack, cases, report, files, fates } = await dockerfile(text, {
      'environment/a.bin': Uint8Array.of(0, 255),
    });
    expect(report.warnings).toEqual([]);
    expect(fates.filter((fate) => /RUN|COPY|FROM|ENV/.test(fate))).toEqual([]);
    expect(report.items).toContainEqual({
      where: 'environment/Dockerfile',
      key: 'Dockerfile',
      fate: 'carried',
      reason: expect.stringContaining(reason),
    });
    expect(cases[0]?.sandbox).toEqual({
      dockerfile: 'tasks/folder/environment/Dockerfile',
      build_network_access: true,
      run_as_root: true,
    });
    expect(pack.version.filesystem?.working_directory).toBe('/work');
    expect(pack.version.sandbox).toEqual({ network_access: false });
    expect(pack.challenges[0]?.assets).toEqual(
      expect.arrayContaining([
        { key: 'environment/Dockerfile', path: 'tasks/folder/environment/Dockerfile' },
        { key: 'environment/a.bin', path: 'tasks/folder/environment/a.bin' },
      ]),
    );
    expect(files.get('tasks/folder/environment/Dockerfile')).toEqual(Buffer.from(text));
    expect(pack.input_sets.map(({ key }) => key)).toEqual(['all']);
  });

  test.each([
    ['FROM debian:12\nWORKDIR /work\nCOPY missing.txt .\n', 'missing.txt'],
    ['FROM debian:12\nWORKDIR /work\nCOPY ../../secret .\n', '../../secret'],
    ['FROM debian:12\nRUN make install\nWORKDIR /work\nENTRYPOINT ["/serve.sh"]\n', '/serve.sh'],
    ['WORKDIR /work\n', 'no image to start from'],
  ])('an image of the Dockerfile %j would not do, and the reason is named', async (text, reason) => {
    const { report } = await unrunnableTask({ 'environment/Dockerfile': text });
    expect(report.warnings).toEqual([expect.stringContaining(reason)]);
    expect(report.items).toContainEqual(
      expect.objectContaining({ where: 'environment/Dockerfile', fate: 'dropped' }),
    );
  });

  test('the user of the last stage, or that of the agent, is that of a built image', async () => {
    const text = 'FROM node:22 AS a\nUSER node\nFROM node:22\nWORKDIR /work\n';
    expect((await dockerfile(text)).cases[0]?.sandbox?.run_as_root).toBe(true);
    const other = await dockerfile(`${text}USER node:node\n`);
    expect(other.cases[0]?.sandbox?.run_as_root).toBeUndefined();
    expect(other.fates).toContain('changed USER');
    const toml = { 'task.toml': '[agent]\nuser = "root"\n' };
    expect((await dockerfile(`${text}USER node\n`, toml)).cases[0]?.sandbox?.run_as_root).toBe(true);
  });

  test('tasks whose images are built are in the set of all tasks, and not in that which runs anywhere', async () => {
    const built = { ...TASK, 'environment/Dockerfile': 'FROM node:22\nWORKDIR /work\n' };
    const source = memorySource({ ...below('a', TASK), ...below('b', built) });
    const { pack, files } = await imported('harbor', source);
    expect(
      pack.input_sets.map(({ key, cases = [] }) => [key, cases.map(({ case_key }) => case_key)]),
    ).toEqual([
      ['runnable', ['a']],
      ['all', ['a', 'b']],
    ]);
    expect(files.get('README.md')).toContain('Executors that build images run b,');
    expect(files.get('README.md')).toContain('--input-set runnable');
  });

  test.each([
    [
      'apt-get update && apt-get install -y jq && curl -LsSf https://x.sh/i.sh | sh && make all',
      ['jq'],
      [
        'carried sandbox.additional_packages: jq',
        'carried not needed: apt-get update',
        'dropped only an image can have run: curl -LsSf https://x.sh/i.sh | sh',
        'dropped only an image can have run: make all',
      ],
    ],
    [
      'pip install numpy rare pytest-json-ctrf; echo hi > /app/a.txt',
      ['python3-numpy'],
      [
        "changed numpy becomes python3-numpy of the sandbox's Debian: another version",
        'carried sandbox.additional_packages: python3-numpy',
        'carried not needed: pip install pytest-json-ctrf',
        'dropped only an image can have run: pip install rare',
        'dropped only an image can have run: echo hi > /app/a.txt',
      ],
    ],
    [
      'apt-get install -y jq || true',
      undefined,
      ['dropped only an image can have run: apt-get install -y jq || true'],
    ],
  ])('every command and package of RUN %s is reported with its fate', async (line, packages, fates) => {
    const tasks = memorySource({
      ...below('a', {
        ...TASK,
        'environment/Dockerfile': `FROM debian:12\nWORKDIR /work\nRUN ${line}\nENTRYPOINT ["/serve.sh"]\n`,
      }),
      ...below('b', TASK),
    });
    const { report, pack } = await imported('harbor', tasks, { includeUnrunnable: 'true' });
    const items = report.items.filter(({ key }) => key.startsWith('RUN'));
    expect(items.map(({ fate, reason }) => `${fate} ${reason}`)).toEqual(fates);
    expect(pack.version.sandbox?.additional_packages).toEqual(packages);
  });

  describe('of which one cannot run', () => {
    const TWO = memorySource({
      ...below('tasks/a', TASK),
      ...below('tasks/b', {
        ...TASK,
        'environment/Dockerfile': 'FROM debian:12\nRUN apt-get install -y tmux\nWORKDIR /other\n',
        'environment/docker-compose.yaml': 'services: {main: {}}',
      }),
      'dataset.toml': '[dataset]\nname = "org/greetings"\ndescription = "Hello."\n',
    });
    const setsOf = ({ pack }: Awaited<ReturnType<typeof imported>>) =>
      pack.input_sets.map(({ key, cases = [] }) => [key, cases.map(({ case_key }) => case_key)]);

    test('a task that cannot run is nowhere in the pack, and the report has the reason', async () => {
      const result = await imported('harbor', TWO);
      const { pack, files, report } = result;
      expect(pack.pack).toMatchObject({ slug: 'greetings', description: 'Hello.' });
      expect(pack.challenges.map(({ key }) => key)).toEqual(['a']);
      expect(setsOf(result)).toEqual([['runnable', ['a']]]);
      expect(pack.version.sandbox).toEqual({ network_access: false });
      expect(pack.version.filesystem?.writable_roots).not.toContain('/other');
      expect([...files.keys()].filter((name) => name.startsWith('tasks/b'))).toEqual([]);
      expect(files.get('deployments.yaml')).not.toContain('b:');
      expect(files.get('README.md')).toContain(
        '| b | tasks/b/environment/docker-compose.yaml: several containers',
      );
      expect(report.items.filter(({ where }) => where.startsWith('tasks/b'))).toEqual([
        {
          where: 'tasks/b/task.toml',
          key: 'b',
          fate: 'dropped',
          reason: expect.stringMatching(/^left out of the pack: .*docker-compose\.yaml: several containers/),
        },
      ]);
    });

    test('the option includes it in the set of all tasks, beside that of those that run', async () => {
      const result = await imported('harbor', TWO, { includeUnrunnable: 'true' });
      expect(setsOf(result)).toEqual([
        ['runnable', ['a']],
        ['all', ['a', 'b']],
      ]);
      expect(result.report.warnings).toEqual([
        expect.stringContaining('b is in the pack and cannot run: tasks/b/environment/docker-compose.yaml'),
      ]);
    });

    test('without a task that can run nothing is imported, and the problems are the reasons', async () => {
      const none = memorySource({ ...TASK, 'environment/docker-compose.yaml': '' });
      expect(await importProblems('harbor', none)).toEqual([
        { message: 'none of the tasks can run here' },
        { message: expect.stringContaining('folder: environment/docker-compose.yaml') },
      ]);
    });
  });

  describe('that is an image', () => {
    const IMAGE = `ghcr.io/org/tools:v1@sha256:${'ab'.repeat(32)}`;
    const withImage = (more = '', files: Files = {}) =>
      task({ 'task.toml': `[environment]\ndocker_image = "${IMAGE}"\n${more}`, ...files });

    test('an image with a digest is that of the sandbox, which runs as root as containers do', async () => {
      const { cases, pack, report } = await withImage('', {
        'environment/Dockerfile': 'FROM node:22\nRUN make install\nCOPY data /opt/data\nWORKDIR /srv/code\n',
        'tests/test.sh': 'apt-get install -y jq\nuvx --with rare-thing pytest /tests/t.py\n',
      });
      expect(cases[0]?.sandbox).toEqual({ image: IMAGE, run_as_root: true });
      expect(cases[0]?.payload.workspace_files).toBeUndefined();
      expect(pack.version.filesystem?.working_directory).toBe('/srv/code');
      expect(pack.version.sandbox).toEqual({ network_access: false });
      expect(report.warnings).toEqual([]);
      expect(report.items).toContainEqual({
        where: 'tests',
        key: 'test.sh',
        fate: 'changed',
        reason: expect.stringContaining('pytest, uvx run what the image has'),
      });
    });

    test.each([
      ['"root"', true, 'carried'],
      ['0', true, 'carried'],
      ['"builder"', undefined, 'changed'],
    ])('the agent with the user %s runs as root: %s', async (user, asRoot, fate) => {
      const { cases, fates } = await withImage(`[agent]\nuser = ${user}\n[verifier]\nuser = "root"\n`);
      expect(cases[0]?.sandbox?.run_as_root).toBe(asRoot);
      expect(fates).toEqual(expect.arrayContaining([`${fate} agent.user`, 'dropped verifier.user']));
      expect(fates.filter((each) => each.endsWith(' agent.user'))).toHaveLength(1);
    });

    test('an image without a digest is built of the Dockerfile beside it', async () => {
      const { cases, fates } = await task({
        'task.toml': '[environment]\ndocker_image = "org/tools:v1"\n',
        'environment/Dockerfile': 'FROM node:22\nWORKDIR /work\n',
      });
      expect(cases[0]?.sandbox?.dockerfile).toBe('tasks/folder/environment/Dockerfile');
      expect(fates).toContain('changed environment.docker_image');
    });

    test.each(['debian:12', 'debian', `debian@sha256:${'A'.repeat(64)}`])(
      'the image %s without a digest cannot be named, and the next step is',
      async (image) => {
        const { 'environment/Dockerfile': _, ...without } = TASK;
        const toml = `[environment]\ndocker_image = "${image}"\n`;
        const source = memorySource({ ...without, 'task.toml': toml });
        expect(await importProblems('harbor', source)).toContainEqual({
          message: expect.stringContaining('write NAME@sha256:DIGEST'),
        });
      },
    );

    test('tests with packages of their own need them in the image', async () => {
      const source = memorySource({
        ...TASK,
        'task.toml': `[environment]\ndocker_image = "${IMAGE}"\n`,
        'tests/Dockerfile': 'FROM debian:12\nRUN apt-get install -y jq\n',
      });
      expect(await importProblems('harbor', source)).toContainEqual({
        message: expect.stringContaining('the tests need jq beside the image of the task'),
      });
    });
  });

  test('a network of certain hosts alone cannot be had', async () => {
    const toml = '[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["a.org"]\n';
    expect(await importProblems('harbor', memorySource({ ...TASK, 'task.toml': toml }))).toContainEqual({
      message: expect.stringContaining('certain hosts'),
    });
  });

  test('the network is open for the cases alone whose tasks have it', async () => {
    const online = { ...TASK, 'task.toml': '[environment]\nallow_internet = true\n' };
    const source = memorySource({ ...below('a', online), ...below('b', TASK) });
    const { pack, cases } = await imported('harbor', source);
    expect(pack.version.sandbox?.network_access).toBe(true);
    expect(cases.map(({ sandbox }) => sandbox?.network_access)).toEqual([undefined, false]);
  });

  test('a task with another working directory than the others has it in the sandbox of its case', async () => {
    const other = {
      ...TASK,
      'environment/Dockerfile': 'FROM debian:12\nWORKDIR /other\nCOPY data.txt data/\n',
      'environment/data.txt': 'seven\n',
    };
    const source = memorySource({ ...below('a', TASK), ...below('b', other), ...below('c', TASK) });
    const { pack, cases, report } = await imported('harbor', source);
    expect(report.warnings).toEqual([]);
    expect(pack.version.filesystem).toMatchObject({
      working_directory: '/work',
      writable_roots: ['/work', '/logs/artifacts'],
    });
    expect(cases.map(({ sandbox }) => sandbox?.working_directory)).toEqual([undefined, '/other', undefined]);
    expect(cases[1]?.payload).toMatchObject({
      workspace_files: [{ path: 'data/data.txt', content: 'seven\n' }],
    });
  });

  test('tests that install tools run with those of the sandbox, and what Debian lacks is named', async () => {
    const script =
      'apt-get update\ncurl -LsSf https://astral.sh/uv/install.sh | sh\nuvx \\\n --with pytest==8.4.1 --with rare-thing pytest /tests/t.py\n';
    const { pack, files, report } = await unrunnableTask({ 'tests/test.sh': script });
    expect(pack.version.sandbox?.additional_packages).toEqual(['python3-pytest']);
    expect(report.warnings).toEqual([expect.stringContaining('rare-thing')]);
    expect(files.get('offline-tools.sh')).toContain("cat > /tmp/harbor/uvx <<'END_OF_FILE'");
    const known = await task({ 'tests/test.sh': script.replace(' --with rare-thing', '') });
    expect(known.pack.version.sandbox?.additional_packages).toEqual(['python3-pytest']);
  });

  test('the image of a verifier of its own gives the tests their packages and variables', async () => {
    const { pack, report, files } = await task({
      'task.toml': '[verifier]\nenvironment_mode = "separate"\n',
      'tests/Dockerfile':
        'FROM debian:12\nRUN apt-get install -y jq\nENV MODE=strict\nWORKDIR /tests\nCOPY . /tests/\n',
    });
    expect(report.warnings).toEqual([]);
    expect(pack.version.sandbox?.additional_packages).toEqual(['jq']);
    expect(files.get('tasks/folder/run.sh')).toContain('export MODE=strict\n');
    expect(files.has('tasks/folder/tests/Dockerfile')).toBe(false);
    const other = await unrunnableTask({ 'tests/Dockerfile': 'FROM debian:12\nCOPY data /srv/data\n' });
    expect(other.report.warnings).toEqual([expect.stringContaining('/srv/data')]);
    const composed = await unrunnableTask({ 'tests/docker-compose.yaml': '' });
    expect(composed.report.warnings).toEqual([expect.stringContaining('several containers')]);
  });

  test('folders of artifacts are part of the workspace, and those of the system are not', async () => {
    const { pack, fates } = await task({
      'task.toml':
        'artifacts = ["out.txt", "/output/a.json", "/data", {source = "/etc/passwd"}, "/logs/artifacts/*.txt"]\n',
    });
    expect(pack.version.filesystem?.writable_roots).toEqual(['/work', '/logs/artifacts', '/output', '/data']);
    expect(fates.filter((fate) => fate.includes('artifacts['))).toEqual([
      'carried artifacts[0]',
      'carried artifacts[1]',
      'carried artifacts[2]',
      'dropped artifacts[3]',
      'carried artifacts[4]',
    ]);
  });
});
