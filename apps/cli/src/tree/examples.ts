import type { Command } from 'commander';

/** How each command is used, by its words. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  demo: ['demo', 'demo --data ./race'],
  up: ['up --detach', 'up --data ./race --port 8080'],
  down: ['down'],
  status: ['status'],
  open: ['open', 'open last --print'],
  logs: ['logs --follow --level warn', 'logs --service sandbox-executor -n 20'],
  doctor: ['doctor'],
  uninstall: ['uninstall --dry-run', 'uninstall --yes --stop --data ./race'],
  login: ['login https://clash.example', 'login https://clash.example < token.txt'],
  logout: ['logout'],
  whoami: ['whoami'],
  apply: ['apply -f agents.yaml'],
  'challenge-pack init': ['challenge-pack init sums.yaml --template prompt_eval'],
  'challenge-pack schema': ['challenge-pack schema'],
  'challenge-pack audit': [
    'challenge-pack audit task.yaml',
    'challenge-pack audit task.yaml --quick --junit audit.xml',
    'challenge-pack audit sums@1',
    'challenge-pack audit sums@1 --last --junit audit.xml',
    'challenge-pack audit sums@1 --cancel',
  ],
  'challenge-pack validate': ['challenge-pack validate sums.yaml --strict'],
  'challenge-pack publish': [
    'challenge-pack publish sums.yaml',
    'challenge-pack publish sums.yaml --require-audit',
  ],
  'challenge-pack list': ['challenge-pack list --search sums'],
  'challenge-pack show': ['challenge-pack show sums'],
  'challenge-pack deprecate': ['challenge-pack deprecate sums --pack-version 1'],
  'challenge-pack restore': ['challenge-pack restore sums --pack-version 1'],
  'challenge-pack archive': ['challenge-pack archive sums --pack-version 1 --yes'],
  'import csv': [
    'import csv questions.csv -o questions',
    'import csv qa.csv -o qa --question Prompt --answer Gold',
  ],
  'import evals': ['import evals registry -o capitals --eval capitals'],
  'import harbor': ['import harbor tasks/greeting -o greeting'],
  'import inspect': ['import inspect samples.jsonl -o samples --grader match'],
  'import jsonl': ['import jsonl test.jsonl -o test --show context --strict'],
  'import swebench': ['import swebench verified.jsonl -o sympy --instances sympy__sympy-20590'],
  'import promptfoo': [
    'import promptfoo promptfooconfig.yaml -o support --strict',
    'import promptfoo evaluations -o support --judge claude-sonnet-4-5',
  ],
  'artifact upload': ['artifact upload solve.py'],
  'artifact list': ['artifact list --search solve'],
  'artifact download': ['artifact download 0c4cd971 -o solve.py'],
  'artifact delete': ['artifact delete 0c4cd971 --yes'],
  'deployment create': ['deployment create -f agents.yaml'],
  'deployment init': ['deployment init agents.yaml'],
  'deployment schema': ['deployment schema'],
  'deployment list': ['deployment list --status archived'],
  'deployment show': ['deployment show solver'],
  'deployment archive': ['deployment archive solver --yes'],
  'agents list': ['agents list'],
  'agents install': ['agents install codex'],
  'agents remove': ['agents remove codex'],
  'agents test': ['agents test pi', 'agents test my-agent.yaml --api anthropic'],
  'image load': ['image load tools.tar'],
  'image pull': ['image pull python:3.13-slim'],
  'image list': ['image list'],
  'image remove': ['image remove docker.io/library/python:3.13-slim'],
  'provider-account create': ['provider-account create --name openai --provider openai --api-key'],
  'provider-account list': ['provider-account list'],
  'provider-account show': ['provider-account show openai'],
  'provider-account test': ['provider-account test openai --model gpt-4.1-mini'],
  'provider-account delete': ['provider-account delete openai'],
  'prices list': ['prices list --provider anthropic'],
  'prices show': ['prices show gpt-5-mini'],
  'prices set': ['prices set qwen3 --account local --input 0.2 --output 0.6 --cached-input 0.02'],
  'prices unset': ['prices unset qwen3 --account local'],
  ...resource('model-alias', 'fast'),
  ...resource('runtime-profile', 'short'),
  ...resource('tool', 'search'),
  ...resource('gate-policy', 'release'),
  'eval plan': [
    'eval plan --pack sums --deployment solver hasty',
    'eval plan --pack sums --deployment solver hasty --difference 0.05 --repetitions 3 --json',
  ],
  ...started('eval', { start: 'start', report: 'scorecard' }),
  ...started('run', { start: 'start', report: 'report' }),
  'run local': [
    'run local task.yaml --agents agents.yaml --repeat 3',
    'run local task.yaml --agents agents.yaml --resume results.clash',
  ],
  'run list': ['run list --pack sums --status completed', 'run list -o wide'],
  'run show': ['run show last --follow'],
  'run agents': ['run agents last'],
  'run attempts': ['run attempts last --outcome agent_error'],
  'run ranking': ['run ranking last', 'run ranking last -o csv'],
  'run failures': ['run failures last'],
  'run search': ['run search last "permission denied"', 'run search results.clash apology --agent solver'],
  'run events': ['run events last --follow --json'],
  'run turns': ['run turns last'],
  'run answer': ['run answer 0c4cd971 yes'],
  'run phase': ['run phase 0c4cd971 escalation'],
  'run cancel': ['run cancel last'],
  'run edit': [
    'run edit 42 --name nightly --note "new prompt"',
    'run edit 42 --label team=search --remove-label draft',
  ],
  'run again': ['run again last --follow'],
  'run delete': ['run delete 42 --yes'],
  'run pause': ['run pause last'],
  'run resume': ['run resume last'],
  'run share': ['run share last', 'run share 42 --expires 30d', 'run share 42 --list'],
  'run retry': ['run retry last --only infra'],
  'run rescore': ['run rescore last'],
  'run import': [
    'run import results.jsonl',
    'run import results.jsonl --pack sums --grade --skip-unmatched',
    'run import solver.eval --format inspect --pack sums',
  ],
  'run export': [
    'run export last -o events.ndjson',
    'run export last --format csv -o results.csv',
    'run export last --format inspect --lane solver -o solver.eval',
  ],
  view: ['view results.clash'],
  push: ['push results.clash', 'push results.clash --name nightly'],
  replay: ['replay 0c4cd971 --full', 'replay 0c4cd971 --run results.clash'],
  compare: [
    'compare default last',
    'compare 0c4cd971 last --agent solver',
    'compare before.clash after.clash --agent solver',
  ],
  gate: [
    'gate last --policy release --junit gate.xml',
    'gate after.clash --baseline before.clash --policy policy.yaml',
    'gate after.clash --min overall=0.9',
  ],
  'baseline set': ['baseline set last', 'baseline set last --name release --yes'],
  'baseline show': ['baseline show default'],
  'baseline list': ['baseline list --pack support-triage'],
  'baseline clear': ['baseline clear default'],
  'review create': ['review create last', 'review create 42 --kind single --items 50'],
  'review list': ['review list --run last'],
  'review next': ['review next', 'review next --json'],
  'review submit': ['review submit 3f0c7a52-9d61-4c0e-8a55-d3b1f02c9e17 --vote left --note "more precise"'],
  'review withdraw': ['review withdraw 3f0c7a52-9d61-4c0e-8a55-d3b1f02c9e17'],
  'review agreement': ['review agreement --json'],
  'review results': ['review results -o csv'],
  'review apply': ['review apply'],
  'secret list': ['secret list'],
  'secret set': [
    'secret set OPENAI_KEY --host api.openai.com',
    'secret set LOCAL_TOKEN --host http://127.0.0.1:8080',
  ],
  'secret delete': ['secret delete OPENAI_KEY --yes'],
  'secret audit': ['secret audit OPENAI_KEY'],
  'token list': ['token list'],
  'token create': ['token create ci --role member --expires 30d'],
  'token revoke': ['token revoke ci'],
  'webhook create': [
    'webhook create ci --url https://ci.example/agentclash',
    'webhook create nightly --url https://ci.example/x --event run.completed --label suite=nightly',
  ],
  'webhook list': ['webhook list'],
  'webhook update': ['webhook update ci --enable', 'webhook update ci --event run.completed gate.decided'],
  'webhook delete': ['webhook delete ci --yes'],
  'webhook deliveries': ['webhook deliveries ci --status failed'],
  'webhook resend': ['webhook resend ci 0c4cd971'],
  'webhook test': ['webhook test ci'],
  'workspace list': ['workspace list'],
  'workspace create': ['workspace create team --name Team'],
  'workspace usage': ['workspace usage'],
  'workspace retention': ['workspace retention 90'],
  'workspace audit-policy': [
    'workspace audit-policy',
    'workspace audit-policy --require yes --min-strength 0.8',
  ],
  'admin sweep': ['admin sweep --dry-run'],
  'admin rotate-keys': ['admin rotate-keys --status'],
  'admin front-door open': ['admin front-door open billing'],
  'admin front-door close': ['admin front-door close billing'],
  'admin front-door list': ['admin front-door list'],
  mcp: ['mcp', 'mcp --http 7421 --folder ../packs --secret OPENAI_KEY'],
  completion: ['completion bash'],
  version: ['version'],
};

function resource(group: string, name: string): Record<string, readonly string[]> {
  return {
    [`${group} create`]: [`${group} create -f ${group === 'gate-policy' ? 'policy' : 'agents'}.yaml`],
    [`${group} list`]: [`${group} list`],
    [`${group} show`]: [`${group} show ${name}`],
    [`${group} delete`]: [`${group} delete ${name}`],
  };
}

function started(
  group: string,
  { start, report }: { start: string; report: string },
): Record<string, readonly string[]> {
  return {
    [`${group} ${start}`]: [
      `${group} ${start} --pack sums --deployment solver hasty --follow`,
      `${group} ${start} --pack sums --repetitions 5 --label branch=main`,
      `${group} ${start} --pack sums --stop-when decided --margin 0.02 --follow`,
    ],
    [`${group} ${report}`]: [
      `${group} ${report} last`,
      `${group} ${report} last --all --json`,
      `${group} ${report} --attempt 0c4cd971`,
    ],
  };
}

/** The commands of a group whose first examples its help has. */
const SHOWN_IN_GROUP = 5;

/** The examples of a command; of a group, the first one of each of its first commands. */
function examplesOf(command: Command, path: readonly string[]): readonly string[] {
  if (path.length === 0) return [];
  if (command.commands.length === 0) return EXAMPLES[path.join(' ')] ?? [];
  const firsts = command.commands.flatMap((child) => examplesOf(child, [...path, child.name()]).slice(0, 1));
  return firsts.slice(0, SHOWN_IN_GROUP);
}

/** Puts the examples below the help of every command and group. */
export function addExamples(command: Command, path: readonly string[] = []): void {
  for (const child of command.commands) addExamples(child, [...path, child.name()]);
  const examples = examplesOf(command, path);
  if (examples.length === 0) return;
  const lines = examples.map((example) => `  agentclash ${example}\n`);
  command.addHelpText('after', `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('')}`);
}
