import path from 'node:path';
import { processesHere } from '../config.js';
import { type RunningStack, startLocalStack } from '../stack.js';
import { CommandLine } from './command-line.js';
import { enterOn, type Terminal } from './terminal.js';

interface RaceOptions {
  /** The program of this command, which runs the race as its user would. */
  program: string;
  /** The folder that has `examples`. */
  home: string;
  /** The demo's data folder; what it made there is still there the next time. */
  data: string;
  /** True when endpoints and model servers on this machine may be used; the race itself needs none. */
  allowLoopbackEndpoints?: boolean | undefined;
  terminal: Terminal;
}

const PACK = 'small-python-tasks';
const INTERRUPTED = 130;

/**
 * Starts a stack, races three agents on the coding pack, shows the ranking, stops the stack: on a terminal when Enter is
 * pressed, else at once. Returns the exit code.
 */
export async function race(options: RaceOptions): Promise<number> {
  const { program, home, data, allowLoopbackEndpoints, terminal } = options;
  terminal.print(
    'AgentClash races agents on real tasks. Here: seven Python functions to write, graded by hidden tests,',
  );
  terminal.print(
    'by an agent with every solution, one that forgets the edge cases, and one that does nothing.\n',
  );
  // Registered first: a signal while the servers boot must not leave them running.
  const interruption = watchSignals();
  const stack = await terminal.step('Starting PostgreSQL, NATS and the six services', () =>
    startLocalStack({
      data,
      writeUserFile: false,
      hasStablePort: true,
      processes: processesHere(),
      ...(allowLoopbackEndpoints !== undefined && { allowLoopbackEndpoints }),
    }),
  );
  const { url, token } = stack;
  const commands = new CommandLine({ program, home, url, token, signal: interruption });
  try {
    await run(commands, terminal);
    await showNextSteps(commands, options);
    if (terminal.isWatched) await stay(stack, { url, terminal, interruption });
    return 0;
  } catch (error) {
    if (interruption.aborted) return INTERRUPTED;
    throw error;
  } finally {
    await stop(stack, terminal);
  }
}

/** In a pipe the race is over as soon as possible; a person gets to see it. */
const PACE = {
  watched: ['--repetitions', '3', '--max-concurrency', '3'],
  unwatched: [],
};

async function run(commands: CommandLine, terminal: Terminal): Promise<void> {
  terminal.print('\n→ Publishing the pack, creating the agents');
  await commands.show('challenge-pack', 'publish', `examples/challenge-packs/${PACK}.yaml`);
  await commands.show('deployment', 'create', '-f', `examples/deployments/${PACK}.yaml`);
  const agents = ['oracle', 'hasty', 'idle'];
  const pace = terminal.isWatched ? PACE.watched : PACE.unwatched;
  const words = ['eval', 'start', '--pack', PACK, '--deployment', ...agents, ...pace];
  const { id } = await commands.read<{ id: string }>(...words);
  terminal.print(
    '\n→ Racing: 3 agents x 7 cases, each attempt in a sandbox of its own. Watch it in a browser:',
  );
  await commands.show('open', id);
  await commands.show('run', 'show', id, '--follow');
}

/** In this order they work unchanged, while the stack runs and after it has been stopped. */
async function showNextSteps(
  commands: CommandLine,
  { program, home, data, terminal }: RaceOptions,
): Promise<void> {
  const { items } = await commands.read<{ items: AttemptRow[] }>('run', 'attempts', 'last');
  const missed = items.find(({ agent_name, passed }) => agent_name === 'hasty' && passed === false);
  const lines: [command: string, what: string][] = [
    [
      `agentclash up --detach --data ${shellWord(data)}`,
      'lead the commands to this stack; start it again after Enter',
    ],
    ['agentclash eval scorecard last', 'the numbers, with the evidence behind each'],
  ];
  if (missed) lines.push([`agentclash replay ${missed.id}`, `how hasty failed at ${missed.case_key}`]);
  lines.push(
    ['agentclash open last', 'the web app, signed in'],
    ['agentclash down', 'stop it; the data stays'],
  );
  const width = Math.max(...lines.map(([command]) => command.length));
  terminal.print('\nWhere to look next');
  terminal.print(`  alias agentclash="${isPackage(program) ? 'npx agentclash' : `node ${program}`}"`);
  for (const [command, what] of lines) terminal.print(`  ${command.padEnd(width)}   # ${what}`);
  terminal.print(`\nAnd in ${path.join(home, 'examples/challenge-packs')}`);
  terminal.print(`  ${PACK}.yaml   the pack that was raced, worth reading`);
  terminal.print('  capital-cities.yaml       one prompt, one reply, several validators; no sandbox');
  terminal.print('  inventory.yaml            a tool that carries a secret which the agent never sees\n');
}

/** An installed package: its command is found by name. */
function isPackage(program: string): boolean {
  return program.split(path.sep).includes('node_modules');
}

async function stay(
  stack: RunningStack,
  { url, terminal, interruption }: { url: string; terminal: Terminal; interruption: AbortSignal },
): Promise<void> {
  terminal.print(`The stack runs at ${url}. Press Enter to stop it.`);
  await Promise.race([enterOn(process.stdin, interruption), stack.broken]);
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

interface AttemptRow {
  id: string;
  agent_name: string;
  case_key: string;
  passed: boolean | null;
}

/** A first signal ends the command that is running, and no other is begun; the stack is stopped in order. */
function watchSignals(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interruption.abort(new Error(`interrupted by ${signal}`)));
  }
  return interruption.signal;
}

async function stop(stack: RunningStack, terminal: Terminal): Promise<void> {
  await terminal.step('Stopping what was started', () => stack.close());
}
