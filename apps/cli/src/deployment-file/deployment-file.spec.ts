import { ApiError } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { bodyOf, withValues } from './body-of.js';
import { kindsOfUnknownNames, namedIn, StoredResources, unknownNames } from './plan.js';
import { readDeploymentFile } from './read.js';
import { refusedEntry } from './tools.js';

const at = (text: string) =>
  readDeploymentFile(text).problems.map(({ line, column, code, field, suggestion }) =>
    [`${line}:${column}`, code, field, ...(suggestion ? [suggestion] : [])].join(' '),
  );

const EVERYTHING = `
deployments:
  - {name: llm, kind: model, runtime_profile: short, config: {model_alias: fast, tools: [faq]}}
  - {name: direct, kind: model, config: {provider_account: local, model: m}}
  - {name: solver, kind: program, config: {command: [x], files: [{path: a, from: b/a.py}]}}
tools: [{name: faq, tool_kind: primitive, definition: {implementation: {mode: mock, mock: {response: 1}}}}]
runtime_profiles: [{name: short, max_iterations: 10}]
model_aliases: [{name: fast, provider_account: local, model: qwen3}]
provider_accounts: [{name: local, provider_key: openai_compatible, base_url: "http://127.0.0.1:11434/v1"}]
`;

describe('a deployment file', () => {
  test('a deployment file creates resources before those that name them, in whatever order it is written', () => {
    const { entries, problems } = readDeploymentFile(EVERYTHING);
    expect(problems).toEqual([]);
    expect(entries.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'provider_account local',
      'model_alias fast',
      'runtime_profile short',
      'tool faq',
      'deployment llm',
      'deployment direct',
      'deployment solver',
    ]);
  });

  test('a deployment file holds lists, or one resource alone', () => {
    const alone = readDeploymentFile('{name: a, kind: scripted, config: {}}');
    expect(alone).toMatchObject({
      problems: [],
      entries: [{ kind: 'deployment', name: 'a', body: { config: { steps: [] } }, at: [] }],
    });
    const alias = readDeploymentFile('{name: fast, provider_account: local, model: m}', 'model_alias');
    expect(alias).toMatchObject({ problems: [], entries: [{ kind: 'model_alias', name: 'fast' }] });
  });

  test('all problems are reported at once, at their lines', () => {
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
  - {name: d, kind: model, config: {model: m}}
  - {name: e, kind: model, config: {model_alias: x, model: m}}
  - {name: f, kind: model, config: {model_alias: x, tools: [1]}}
model_aliases:
  - {name: q, provider_account: 3, model: m}
  - {name: r, provider_account_id: 3, model: m}
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
      '10:36 required deployments[4].config.provider_account',
      '11:60 malformed deployments[5].config.model',
      '12:61 type_mismatch deployments[6].config.tools[0]',
      '14:33 type_mismatch model_aliases[0].provider_account',
      '15:36 type_mismatch model_aliases[1].provider_account_id',
    ]);
  });

  test('a misspelt kind hides none of the other problems, and all are reported in plain words', () => {
    const { problems } = readDeploymentFile(
      '{name: "", kind: scriptd, config: {stepz: [], stop_on_error: 3}}',
    );
    expect(problems.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'name: must not be empty',
      'kind: must be model or program or endpoint or scripted; did you mean scripted?',
      'config.stepz: is not known here; did you mean steps?',
      'config.stop_on_error: must be true or false',
    ]);
  });

  test('a misspelt member is reported with the nearest name that authors write', () => {
    expect(
      at(`deployments:
  - {name: a, kind: model, runtime_profle: p, config: {model_alas: x, sampling: {temprature: 0}}}
model_aliases: [{name: b, provider_acount: local, model: m}]`),
    ).toEqual([
      '2:28 unknown_key deployments[0].runtime_profle runtime_profile',
      '2:55 required deployments[0].config.model_alias',
      '2:56 unknown_key deployments[0].config.model_alas model_alias',
      '2:82 unknown_key deployments[0].config.sampling.temprature temperature',
      '3:17 required model_aliases[0].provider_account',
      '3:27 unknown_key model_aliases[0].provider_acount provider_account',
    ]);
  });

  test('a key in a file is refused with what to do instead, and is not repeated', () => {
    const { problems } = readDeploymentFile(
      'provider_accounts:\n  - {name: a, provider_key: openai, api_key: sk-plain}',
    );
    expect(problems).toMatchObject([
      {
        code: 'key_in_file',
        line: 2,
        column: 37,
        message: expect.stringMatching(/secret set .*credential_reference: "workspace-secret:/),
      },
    ]);
    expect(JSON.stringify(problems)).not.toContain('sk-plain');
  });

  test('text that is no YAML, and YAML that is no map, is reported as such', () => {
    expect(at('a: [1')).toEqual([expect.stringMatching(/ yaml_syntax/)]);
    expect(at('- 1')).toEqual(['1:1 type_mismatch ']);
    expect(at('deployments: 3')).toEqual(['1:14 type_mismatch deployments']);
  });
});

describe('servers of tools in a deployment file', () => {
  const servers = (list: string) =>
    at(`{name: a, kind: model, config: {model_alias: m, mcp_servers: [${list}]}}`);

  test('servers of models and programs have their files by paths', () => {
    const server = '{name: s, command: [python3, /mcp/s/x.py], files: [{path: x.py, from: servers/x.py}]}';
    expect(
      servers(`${server}, {name: t, url: "https://t.example.com", headers: {X-Key: "$\{secrets.T}"}}`),
    ).toEqual([]);
    expect(at(`{name: a, kind: program, config: {command: [x], mcp_servers: [${server}]}}`)).toEqual([]);
  });

  test.each([
    ['neither command nor url', '{name: s}', 'required config.mcp_servers[0].command'],
    [
      'a file without a path beside it',
      '{name: s, command: [x], files: [{path: x.py}]}',
      'required config.mcp_servers[0].files[0].from',
    ],
    [
      'headers of a command',
      '{name: s, command: [x], headers: {A: b}}',
      'malformed config.mcp_servers[0].headers',
    ],
    [
      'a misspelt member',
      '{name: s, comand: [x], url: u}',
      'unknown_key config.mcp_servers[0].comand command',
    ],
  ])('a file with %s is refused', (_name, list, problem) => {
    expect(servers(list)).toEqual([expect.stringContaining(problem)]);
  });
});

describe('skills in a deployment file', () => {
  const program = (config: string) => at(`{name: a, kind: program, config: {models: {main: m}, ${config}}}`);

  test('a program with a preset has skills, instructions and a preset by their paths', () => {
    expect(program('preset: codex, skills: [./skills/x], instructions_file: AGENTS.md')).toEqual([]);
    expect(program('preset_file: mine.yaml, skills: [./skills/x, skills/y/]')).toEqual([]);
  });

  test.each([
    ['a program without a preset', 'command: [x], skills: [./skills/x]', 'malformed config.skills'],
    ['two skills of one name', 'preset: codex, skills: [a/x, b/x]', 'malformed config.skills'],
    ['a name with a space', 'preset: codex, skills: ["./my skill"]', 'malformed config.skills[0]'],
    ['no path', 'preset: codex, skills: [3]', 'type_mismatch config.skills[0]'],
    [
      'instructions given twice',
      'preset: codex, instructions: a, instructions_file: b.md',
      'unknown_key config.instructions_file instructions',
    ],
  ])('a file with %s is refused', (_name, config, problem) => {
    expect(program(config)).toEqual([expect.stringContaining(problem)]);
  });

  test('a preset document without a place for skills is refused with the name of the preset', () => {
    const { problems } = readDeploymentFile(
      '{name: a, kind: program, config: {models: {main: m}, skills: [s/x], preset: {name: mine, title: M, wires: [chat], command: [x]}}}',
    );
    expect(problems.map(({ message }) => message)).toEqual([
      'is for a preset with a place for skills, which mine does not have',
    ]);
  });

  test('a model deployment has its instructions by a path and no skills', () => {
    const model = (config: string) => at(`{name: a, kind: model, config: {model_alias: m, ${config}}}`);
    expect(model('policy_spec: {instructions_file: AGENTS.md}')).toEqual([]);
    expect(model('skills: [./skills/x]')).toEqual([expect.stringContaining('unknown_key config.skills')]);
  });
});

describe('variants in a deployment file', () => {
  const program = (variants: string, config = 'preset: codex, models: {main: m}') =>
    readDeploymentFile(`{name: a, kind: program, config: {${config}}, ${variants}}`).problems.map(
      ({ code, field, message }) => `${code} ${field}: ${message}`,
    );

  test('a variant changes instructions, skills, models, environment, files and the command', () => {
    expect(
      program(
        'variants: {bare: {}, skill: {skills: [./skills/x]}, docs: {instructions_file: AGENTS.md}, small: {models: {main: mini}}, other: {env: {A: b}, files: [{path: a, from: b}]}}, baseline: bare',
      ),
    ).toEqual([]);
    expect(program('variants: {a: {}, b: {command: [y]}}, baseline: a', 'command: [x]')).toEqual([]);
  });

  test.each([
    ['no baseline', 'variants: {bare: {}, b: {}}', 'required baseline: is missing'],
    [
      'an unknown baseline',
      'variants: {bare: {}, b: {}}, baseline: bar',
      'baseline: names no variant: must be one of bare, b',
    ],
    ['no variants', 'variants: {}, baseline: b', 'variants: must have a baseline and at least one more'],
    ['a baseline without variants', 'baseline: bare', 'baseline: is for variants, and there are none'],
    [
      'a single variant',
      'variants: {bare: {}}, baseline: bare',
      'variants: must have a baseline and at least one more',
    ],
    [
      'an unknown member',
      'variants: {bare: {}, b: {skils: []}}, baseline: bare',
      'unknown_key variants.b.skils: is not known here; did you mean skills?',
    ],
    [
      'a member that no variant has',
      'variants: {bare: {}, b: {preset: pi}}, baseline: bare',
      'unknown_key variants.b.preset: is not known here',
    ],
    [
      'a command beside a preset',
      'variants: {bare: {}, b: {command: [x]}}, baseline: bare',
      'variants.b.command: conflicts with preset: give one of them',
    ],
    ['a name with a space', 'variants: {bare: {}, "b c": {}}, baseline: bare', 'variants.b c: '],
  ])('variants with %s are refused', (_name, variants, problem) => {
    expect(program(variants)).toEqual([expect.stringContaining(problem)]);
  });

  test('variants of a model have an alias, sampling and instructions of their own', () => {
    const { problems, entries } = readDeploymentFile(
      '{name: a, kind: model, config: {model_alias: m, sampling: {temperature: 0}}, baseline: b, variants: {b: {}, c: {model_alias: n}, d: {sampling: {seed: 1}, policy_spec: {instructions_file: A.md}, tools: [t]}}}',
    );
    expect(problems).toEqual([]);
    expect(entries[0]?.references.map(({ to, name }) => `${to} ${name}`)).toEqual([
      'model_alias m',
      'model_alias n',
      'tool t',
      'text A.md',
    ]);
  });
});

describe('names in a deployment file', () => {
  const file = readDeploymentFile(EVERYTHING);
  const resource = (name: string) => ({ id: `id of ${name}`, name, created_at: '', updated_at: '' });

  test('names refer to resources of the file or of the workspace', () => {
    expect(unknownNames(file, new StoredResources())).toEqual([]);
    const partial = readDeploymentFile(EVERYTHING.replace('{name: fast,', '{name: quick,'));
    expect(unknownNames(partial, new StoredResources())).toMatchObject([
      { code: 'unknown_reference', field: 'deployments[0].config.model_alias', line: 3 },
    ]);
    const existing = new StoredResources();
    existing.add('model_alias', resource('fast'));
    expect(unknownNames(partial, existing)).toEqual([]);
  });

  test('names are looked up once each, by kind', () => {
    const names = namedIn(file).map(({ kind, name }) => `${kind} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(file.entries.length);
  });

  test('names are all replaced by ids, and aliases stay names', () => {
    const entry = file.entries.find(({ name }) => name === 'llm');
    const ids = (entry?.references ?? []).flatMap(({ bodyPath, name }) =>
      bodyPath === undefined ? [] : [{ bodyPath, value: `id of ${name}` }],
    );
    expect(withValues(entry?.body, ids)).toEqual({
      name: 'llm',
      kind: 'model',
      runtime_profile_id: 'id of short',
      config: { model_alias: 'fast', tools: ['id of faq'] },
    });
  });

  test('names may already be ids', () => {
    const id = '0199c1d0-0000-7000-8000-000000000001';
    const links = [{ written: 'config.tools.*', to: 'tool' as const }];
    expect(bodyOf({ config: { tools: [id, 'a'] } }, links)).toMatchObject({
      body: { config: { tools: [id, expect.any(String)] } },
      references: [{ name: 'a', bodyPath: ['config', 'tools', 1] }],
    });
  });
});

describe('an entry with problems hides none of what it names', () => {
  const text = `deployments:
  - {name: a, kind: program, config: {command: [x], timeout: 3, files: [{path: a.py, from: nothere.py}]}}
  - {name: b, kind: model, runtime_profile: shrt, config: {model_alias: fst, temperature: 1}}
  - {name: c, kind: endpoint, config: {url: "htp://foo", metod: POST}}
model_aliases: [{name: fast, provider_account: local, modell: m}]
provider_accounts: [{name: local, provider_key: openai_compatible, base_url: "https://u:p@host/v1"}]
`;
  const file = readDeploymentFile(text);

  test('the problems of an entry and of its urls are reported', () => {
    expect(file.problems.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'unknown_key deployments[0].config.timeout',
      'unknown_key deployments[1].config.temperature',
      'invalid_url deployments[2].config.url',
      'unknown_key deployments[2].config.metod',
      'required model_aliases[0].model',
      'unknown_key model_aliases[0].modell',
      'invalid_url provider_accounts[0].base_url',
    ]);
  });

  test('the unknown names of an entry with problems are reported, with the nearest known ones', () => {
    const stored = new Map([['runtime_profile' as const, ['short', 'long']]]);
    expect(unknownNames(file, new StoredResources(), stored)).toMatchObject([
      {
        field: 'deployments[1].runtime_profile',
        suggestion: 'short',
        message: 'there is no runtime profile "shrt"; did you mean short?',
      },
      { field: 'deployments[1].config.model_alias', suggestion: 'fast' },
    ]);
    expect(kindsOfUnknownNames(file, new StoredResources())).toEqual(['runtime_profile', 'model_alias']);
  });

  test('an unknown alias of a program is reported beside a member of another type', () => {
    const program = readDeploymentFile(`deployments:
  - {name: a, kind: program, config: {preset: codex, env: 3, models: {main: fst, small: tiny}}, baseline: b,
     variants: {b: {}, c: {models: {main: slow}}}}
`);
    expect(program.problems).toMatchObject([{ field: 'deployments[0].config.env' }]);
    expect(unknownNames(program, new StoredResources()).map(({ field }) => field)).toEqual([
      'deployments[0].config.models.main',
      'deployments[0].config.models.small',
      'deployments[0].variants.c.models.main',
    ]);
  });
});

describe('what the server refuses', () => {
  const { source, entries } = readDeploymentFile(EVERYTHING);
  const invalidInput = (errors: { code: string; field: string; message: string }[]) =>
    new ApiError({ code: 'invalid_input', detail: 'No.', errors }, null);

  test('a problem that the server finds is reported at the line of its author', () => {
    const [account, alias] = entries;
    if (account === undefined || alias === undefined) throw new TypeError('no entries');
    const wrong = invalidInput([{ code: 'invalid_url', field: 'base_url', message: 'is locked' }]);
    expect(refusedEntry(wrong, source, account)).toMatchObject({
      exit: 64,
      problems: [{ code: 'invalid_url', field: 'provider_accounts[0].base_url', line: 9, column: 78 }],
    });
    const gone = invalidInput([
      { code: 'unknown_reference', field: 'provider_account_id', message: 'names nothing' },
    ]);
    expect(refusedEntry(gone, source, alias)).toMatchObject({
      problems: [{ field: 'model_aliases[0].provider_account', line: 8 }],
    });
  });

  test('a problem of the server without a position in the document is no problem of the file', () => {
    expect(refusedEntry(invalidInput([]), source, entries[0] as never)).toBeUndefined();
    expect(refusedEntry(new Error('x'), source, entries[0] as never)).toBeUndefined();
  });
});
