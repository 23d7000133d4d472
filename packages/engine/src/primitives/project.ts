import { isJsonObject, type JsonValue, ownMember } from '@agentclash/challengepack';
import { ToolError } from '../tools/tool-error.js';
import type { PrimitiveContext } from './primitive.js';

export type ProjectTask = 'test' | 'build';

export interface ProjectCommand {
  framework: string;
  argv: string[];
}

interface Framework {
  name: string;
  /** The file that tells it. */
  marker: string;
  commands: Record<ProjectTask, string[]>;
  /** Whether the marker's text offers the task; default: always. */
  offers?: (text: string, task: ProjectTask) => boolean;
}

/** In the order in which they are looked for. */
const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'npm',
    marker: 'package.json',
    commands: { test: ['npm', 'run', 'test'], build: ['npm', 'run', 'build'] },
    offers: hasScript,
  },
  {
    name: 'go',
    marker: 'go.mod',
    commands: { test: ['go', 'test', './...'], build: ['go', 'build', './...'] },
  },
  {
    name: 'cargo',
    marker: 'Cargo.toml',
    commands: { test: ['cargo', 'test'], build: ['cargo', 'build'] },
  },
  {
    name: 'python',
    marker: 'pyproject.toml',
    commands: {
      test: ['python3', '-m', 'unittest', 'discover'],
      build: ['python3', '-m', 'compileall', '-q', '.'],
    },
  },
  { name: 'make', marker: 'Makefile', commands: { test: ['make', 'test'], build: ['make'] } },
];

/** How the project in a directory is tested or built; a ToolError when nothing tells. */
export async function detectProject(
  task: ProjectTask,
  directory: string,
  context: PrimitiveContext,
): Promise<ProjectCommand> {
  for (const { name, marker, commands, offers = () => true } of FRAMEWORKS) {
    const text = await textOf(`${directory}/${marker}`, context);
    if (text !== undefined && offers(text, task)) return { framework: name, argv: commands[task] };
  }
  throw new ToolError('not_found', `nothing in this directory says how to ${task} it`);
}

async function textOf(path: string, { sandbox, filesystem }: PrimitiveContext): Promise<string | undefined> {
  try {
    const { data } = await sandbox.scanFile(path, {
      roots: filesystem.readable_roots,
      bytesMax: 1024 * 1024,
    });
    return data.toString();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function hasScript(text: string, task: ProjectTask): boolean {
  try {
    const parsed: JsonValue = JSON.parse(text);
    const scripts = isJsonObject(parsed) ? ownMember(parsed, 'scripts') : undefined;
    return typeof ownMember(scripts, task) === 'string';
  } catch {
    return false;
  }
}
