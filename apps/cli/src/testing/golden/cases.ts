/** A command line to be kept with what it prints; blanks part its words. */
export interface GoldenCase {
  line: string;
  stdin?: string;
}

const BOTH = ['', ' --json'] as const;

function both(...lines: (string | GoldenCase)[]): GoldenCase[] {
  return lines.flatMap((given) => {
    const { line, ...rest } = typeof given === 'string' ? { line: given } : given;
    return BOTH.map((mode) => ({ ...rest, line: `${line}${mode}` }));
  });
}

/** Errors read alike for programs, whatever failed: that is recorded of a few. */
function refused(...lines: string[]): GoldenCase[] {
  return lines.map((line) => ({ line }));
}

const RUN = '019a0000-0000-7000-8000-000000000061';
const RACED_RUN = '019a0000-0000-7000-8000-000000000064';
const WAITING_RUN = '019a0000-0000-7000-8000-000000000062';
const ATTEMPT = '019a0000-0000-7000-8000-000000000082';
const PARKED = '019a0000-0000-7000-8000-000000000084';
const ARTIFACT = '019a0000-0000-7000-8000-000000000041';
const ABSENT = '019a0000-0000-7000-8000-000000000999';

/** The cases that every kind of resource has. */
function resource(group: string, name: string, { gone = 'delete', file = 'agents.yaml' } = {}): GoldenCase[] {
  return [
    ...both(
      `${group} create -f ${file}`,
      `${group} list`,
      `${group} show ${name}`,
      `${group} ${gone} ${name}`,
    ),
    { line: `${group} show missing` },
  ];
}

/** By group of commands: the name of the file that they are kept in. */
export const GOLDEN: Readonly<Record<string, readonly GoldenCase[]>> = {
  usage: [
    { line: 'runn list' },
    { line: '' },
    { line: 'run' },
    { line: 'run --json' },
    { line: 'run list --statuss' },
    { line: 'run list --status done' },
    { line: 'run list --status done --json' },
    { line: 'run show' },
    { line: 'run list --limit 0' },
    { line: 'run list extra' },
    ...both('version'),
  ],
  errors: refused(
    'challenge-pack publish none.yaml',
    'challenge-pack show sumz',
    'challenge-pack archive sums --pack-version 7',
    'artifact upload none.py',
    `artifact download ${ABSENT}`,
    `artifact delete ${ABSENT} --yes`,
    'deployment create -f none.yaml',
    'provider-account create --name other',
    'eval start',
    'eval start --pack sums',
    'eval start --pack sums --input-set easy',
    'eval start --pack sums --input-set easy --deployment solvr',
    'eval start --pack sums --alpha 0.01',
    'eval start --pack sums --stop-when decided --alpha 0.5',
    'eval start --pack sums --stop-when decided --margin 2',
    'eval start --pack sums --stop-when decided --goal baseline',
    `eval start --pack sums --stop-when decided --goal best --baseline ${ABSENT}`,
    'eval start --pack sums --stop-when decided --baseline solver',
    'eval start --pack sums --stop-when later',
    'eval start --pack sums --budget-attempts 0',
    'eval start --pack sums --budget-usd 0',
    'eval start --pack sums --budget-tokens 1.5',
    'eval start --pack sums --seed -1',
    'eval start --pack sums --input-set easy --deployment solver idle --stop-when decided',
    'eval plan --pack sums --input-set easy --deployment solver --difference 0',
    'eval plan --pack sums --input-set easy --deployment solvr',
    `eval scorecard ${ABSENT}`,
    `run show ${ABSENT}`,
    'run show first',
    'run show 019a0000',
    'run show beef',
    `run answer ${ATTEMPT} left`,
    'replay first',
    `replay ${ABSENT}`,
    'compare default last --detect 2',
    `gate ${WAITING_RUN} --policy unknown`,
    'baseline show other',
    'secret delete NONE --yes',
    'token create ci --expires soon',
    'token revoke missing',
    'workspace create default',
    'admin front-door list --data data',
    `run show ${ABSENT} --json`,
    'run show first --json',
    'eval start --pack sums --json',
  ),
  'challenge-pack': [
    ...both('challenge-pack init new.yaml', 'challenge-pack init pack.yaml'),
    { line: 'challenge-pack schema' },
    ...both(
      'challenge-pack validate pack.yaml',
      'challenge-pack validate broken.yaml none.yaml pack.yaml',
      'challenge-pack publish pack.yaml',
      'challenge-pack list',
      'challenge-pack show sums',
      'challenge-pack show sums --pack-version 1',
      'challenge-pack deprecate sums --pack-version 2',
      'challenge-pack restore sums --pack-version 1',
      'challenge-pack archive sums --pack-version 1',
      'challenge-pack archive sums --pack-version 1 --yes',
    ),
  ],
  import: [
    ...both('import csv questions.csv -o pack', 'import csv questions.csv -o pack --strict'),
    ...both('import jsonl capitals.jsonl -o pack --strict', 'import csv ragged.csv -o pack'),
    ...both('import promptfoo promptfooconfig.yaml -o pack'),
    { line: 'import promptfoo broken.yaml -o pack' },
    ...both('import evals samples.jsonl -o pack', 'import inspect dataset.jsonl -o pack'),
    ...both('import swebench instances.jsonl -o pack', 'import harbor questions.csv -o pack'),
    { line: 'import csv capitals.jsonl -o pack' },
    { line: 'import csv questions.csv -o .' },
    { line: 'import csv questions.csv -o . --force' },
    { line: 'import csv questions.csv -o pack --answer gold' },
    { line: 'import csv none.csv -o pack' },
    { line: 'import csv questions.csv' },
    { line: 'import parquet questions.csv' },
  ],
  artifact: [
    ...both('artifact upload solve.py', 'artifact list', 'artifact list --search zzz'),
    ...both(`artifact delete ${ARTIFACT}`, `artifact delete ${ARTIFACT} --yes`),
    { line: `artifact download ${ARTIFACT} -o -` },
    { line: `artifact download ${ARTIFACT}` },
    { line: `artifact download ${ARTIFACT} --json` },
  ],
  deployment: [
    ...resource('deployment', 'solver', { gone: 'archive' }),
    { line: 'deployment archive solver --yes' },
    ...both('deployment create -f faulty.yaml', 'deployment list --status archived'),
  ],
  prices: [
    ...both('prices list'),
    ...both('prices show qwen3'),
    { line: 'prices show unheard-of' },
    ...both('prices set qwen3 --account local --input 1 --output 2.5 --cached-input 0.1'),
    ...both('prices unset qwen3'),
  ],
  'provider-account': [...resource('provider-account', 'local'), ...both('provider-account test local')],
  'model-alias': resource('model-alias', 'fast'),
  'runtime-profile': resource('runtime-profile', 'short'),
  tool: resource('tool', 'faq'),
  'gate-policy': resource('gate-policy', 'release', { file: 'policy.yaml' }),
  eval: both(
    'eval plan --pack sums --input-set easy --deployment solver idle --repetitions 1',
    'eval start --pack sums --input-set easy --deployment solver idle --name nightly',
    `eval scorecard ${RUN}`,
    'eval scorecard last --policy lenient',
    `eval scorecard --attempt ${ATTEMPT}`,
    `eval scorecard ${RUN} --all`,
  ),
  run: both(
    'run list',
    'run list --status failed',
    'run list --search night --deployment solver',
    'run list --search daily',
    `run show ${RUN}`,
    `run show ${RUN} --follow`,
    `run show ${RACED_RUN}`,
    `run agents ${RACED_RUN}`,
    `run ranking ${RACED_RUN}`,
    'run start --pack sums --input-set easy --deployment solver idle --stop-when decided --metric overall --margin 0.02 --budget-attempts 300 --budget-usd 22.5 --budget-tokens 900000 --seed 42',
    'run show 000000000061',
    'run report last',
    'run start --pack sums --input-set easy --deployment solver idle',
    `run agents ${RUN}`,
    `run attempts ${RUN}`,
    `run attempts ${RUN} --outcome infra_error`,
    `run ranking ${RUN}`,
    `run failures ${RUN}`,
    `run events ${RUN}`,
    `run events ${RUN} --follow`,
    `run turns ${WAITING_RUN}`,
    `run answer ${PARKED} left`,
    `run phase ${PARKED} more`,
    `run pause ${RUN}`,
    `run resume ${RUN}`,
    `run cancel ${RUN}`,
    `run delete ${RUN} --yes`,
    `run delete ${RUN}`,
    `run retry ${RUN} --only infra`,
    `run rescore ${RUN}`,
    `run rescore ${RUN} --no-wait`,
    `run export ${RUN}`,
    `run export ${RUN} -o events.ndjson`,
    `run export ${RUN} --format jsonl`,
    `run export ${RUN} --format csv`,
    `run export ${RUN} --format parquet -o results.parquet`,
    `run export ${RUN} --format atif --lane solver`,
    `run export ${RUN} --format otel --lane solver -o trace.jsonl`,
    `run export ${RUN} --format inspect --lane solver -o solver.eval`,
    `run export ${RUN} --format inspect`,
    `run export ${RUN} --format csv --lane other`,
    'run import results.jsonl --skip-unmatched',
    'run import results.jsonl',
    'run import faulty.jsonl --pack sums',
    'run import results.jsonl --input-set medium',
    'run import scored.jsonl',
    'run import scored.jsonl --name ungraded',
    'run import huge.jsonl --pack sums',
    'run import trajectories.jsonl --pack sums',
    'run import questions.csv --pack sums',
  ),
  replay: both(`replay ${ATTEMPT}`, 'replay last'),
  compare: both(`compare default ${WAITING_RUN}`),
  gate: both(
    `gate ${WAITING_RUN} --policy lenient`,
    `gate ${WAITING_RUN}`,
    `gate ${WAITING_RUN} --policy careful`,
    `gate ${WAITING_RUN} --policy thorough`,
    `gate ${WAITING_RUN} --junit gate.xml --markdown gate.md`,
  ),
  baseline: both(
    `baseline set ${RUN}`,
    `baseline set ${RUN} --name release`,
    'baseline show',
    'baseline list',
    'baseline list --name default --pack sums',
    'baseline show default',
    'baseline clear',
  ),
  secret: [
    ...both(
      { line: 'secret set KEY --host api.example.com http://127.0.0.1:8080', stdin: 'hunter2\n' },
      { line: 'secret set KEY --any', stdin: 'hunter2\n' },
      { line: 'secret set KEY --host any', stdin: 'hunter2\n' },
      { line: 'secret set KEY', stdin: 'hunter2\n' },
      'secret list',
      'secret audit',
      'secret audit OPENAI_KEY --limit 1',
      'secret delete OPENAI_KEY',
      'secret delete OPENAI_KEY --yes',
    ),
    { line: 'secret set KEY hunter2' },
  ],
  token: both(
    'token list',
    'token create ci --role viewer --expires 2027-01-01',
    'token revoke ci',
    'token revoke ada',
    'token revoke ada --yes',
  ),
  workspace: both(
    'workspace list',
    'workspace create team --name Team',
    'workspace usage',
    'workspace retention 90',
    'workspace retention soon',
    'workspace audit-policy',
    'workspace audit-policy --require yes --min-strength 0.8 --max-age-days 90',
    'workspace audit-policy --min-strength 0.8',
  ),
  admin: both(
    'admin rotate-keys',
    'admin rotate-keys --status',
    'admin rotate-keys --retire k1',
    'admin sweep',
    'admin sweep --dry-run',
  ),
  stack: both('status --data data', 'down --data data', 'open', 'open last --print'),
  completion: [{ line: 'completion bash' }, { line: 'completion zsh --json' }, { line: 'completion tcsh' }],
};
