import { describe, expect, test } from '@jest/globals';
import { withIds } from './names-for-ids.js';
import { planDeployments } from './plan.js';
import { readDeploymentFile } from './read.js';

const at = (text: string) =>
  readDeploymentFile(text).problems.map(({ line, column, code, field, suggestion }) =>
    [`${line}:${column}`, code, field, ...(suggestion ? [suggestion] : [])].join(' '),
  );

describe('a deployment file', () => {
  test('holds lists, or one deployment alone', () => {
    const alone = readDeploymentFile('{name: a, kind: scripted, config: {}}');
    expect(alone.problems).toEqual([]);
    expect(alone.deployments).toMatchObject([{ spec: { name: 'a', config: { steps: [] } }, at: [] }]);
    const lists = readDeploymentFile(
      'runtime_profiles: [{name: p}]\ndeployments:\n- {name: a, kind: scripted, config: {}}',
    );
    expect(lists).toMatchObject({
      problems: [],
      profiles: [{ spec: { name: 'p' } }],
      deployments: [{ at: ['deployments', 0] }],
    });
  });

  test('all faults are told at once, where the author wrote them', () => {
    expect(
      at(`deployment: []
runtime_profiles:
  - {name: p, max_iterations: 0}
  - {name: p, cpu: 1}
deployments:
  - {name: a, kind: program, config: {command: [], files: [{path: ../x, from: x.py}, {path: y}]}}
  - {name: b, kind: scriptd, config: {}}
  - {kind: scripted, config: {steps: [{anser: x}]}}
  - {name: c, kind: program, runtime_profile: [p], config: {command: [x], files: [{path: z, from: 3}]}}
`),
    ).toEqual([
      '1:1 unknown_key deployment deployments',
      '3:31 out_of_range runtime_profiles[0].max_iterations',
      '4:12 not_unique runtime_profiles[1].name',
      '4:15 unknown_key runtime_profiles[1].cpu',
      '6:48 out_of_range deployments[0].config.command',
      '6:67 malformed deployments[0].config.files[0].path',
      '6:86 required deployments[0].config.files[1].from',
      '7:21 unknown_value deployments[1].kind scripted',
      '8:5 required deployments[2].name',
      expect.stringMatching(/^8:\d+ (required|unknown_key) deployments\[2\]\.config\.steps\[0\]/),
      expect.stringMatching(/^8:\d+ (required|unknown_key) deployments\[2\]\.config\.steps\[0\]/),
      '9:47 type_mismatch deployments[3].runtime_profile',
      '9:99 type_mismatch deployments[3].config.files[0].from',
    ]);
  });

  test('a misspelt kind hides none of the other faults, and all are told in plain words', () => {
    const { problems } = readDeploymentFile(
      '{name: "", kind: scriptd, config: {stepz: [], stop_on_error: 3}}',
    );
    expect(problems.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'name: must not be empty',
      'kind: must be program or scripted',
      'config.stepz: is not known here',
      'config.stop_on_error: must be true or false',
    ]);
  });

  test('what is no YAML, and what is no map, is said so', () => {
    expect(at('a: [1')).toEqual([expect.stringMatching(/ yaml_syntax/)]);
    expect(at('- 1')).toEqual(['1:1 type_mismatch ']);
    expect(at('deployments: 3')).toEqual(['1:14 type_mismatch deployments']);
  });
});

describe('the plan', () => {
  const file = readDeploymentFile(`
runtime_profiles: [{name: new}, {name: known}]
deployments:
  - {name: fresh, kind: scripted, runtime_profile: new, config: {}}
  - {name: old, kind: program, runtime_profile: elsewhere, config: {command: [x], files: [{path: a, from: b/a.py}]}}
`);

  test('makes what the workspace lacks and revises what it has', () => {
    const existing = {
      profiles: new Map([
        ['known', 'p1'],
        ['elsewhere', 'p2'],
      ]),
      deployments: new Map([['old', 'd1']]),
    };
    expect(planDeployments(file, existing)).toMatchObject({
      problems: [],
      profiles: [
        { spec: { name: 'new' }, id: undefined },
        { spec: { name: 'known' }, id: 'p1' },
      ],
      deployments: [
        { spec: { name: 'fresh' }, id: undefined, profile: 'new', files: [] },
        { spec: { name: 'old' }, id: 'd1', profile: 'elsewhere', files: [{ index: 0, from: 'b/a.py' }] },
      ],
    });
  });

  test('a profile that is neither in the file nor in the workspace is a fault of the line that names it', () => {
    const plan = planDeployments(file, { profiles: new Map(), deployments: new Map() });
    expect(plan.problems).toMatchObject([
      { code: 'unknown_reference', field: 'deployments[1].runtime_profile', line: 5, column: 49 },
    ]);
  });

  test('no stand-in for an id is left once ids are put in', () => {
    const [, old] = file.deployments;
    const spec = old && withIds(old.spec, { profileId: 'p2', artifactIds: new Map([[0, 'a1']]) });
    expect(spec).toEqual({
      name: 'old',
      kind: 'program',
      runtime_profile_id: 'p2',
      config: { command: ['x'], files: [{ path: 'a', artifact_id: 'a1' }] },
    });
  });
});
