import {
  agentView,
  isJsonObject,
  type JsonValue,
  renderTemplate,
  templateContext,
} from '@agentclash/challengepack';
import { soughtPaths } from '../references/reference-agents.js';
import type { CheatTarget } from './cheat.js';

/** A function of a target that is computed once for each. */
function remembered<T>(of: (target: CheatTarget) => T): (target: CheatTarget) => T {
  const known = new WeakMap<CheatTarget, { value: T }>();
  return (target) => {
    const entry = known.get(target) ?? { value: of(target) };
    known.set(target, entry);
    return entry.value;
  };
}

/** The task as an agent reads it: instructions with their values filled in, payload and inputs. */
export const taskText = remembered(({ pack, case: { case: each } }: CheatTarget): string => {
  const { challenge, case: view } = agentView(pack.manifest, each);
  const context = templateContext(each.payload, each.inputs);
  const instructions = renderTemplate(challenge.instructions ?? challenge.title, context, 'lenient');
  return [instructions, ...textsOf(view.payload), ...view.inputs.flatMap(({ value }) => textsOf(value))].join(
    '\n\n',
  );
});

function textsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

const NAMES_MAX = 400;

/** Names of the task and of the test commands, which a test may look for in a module. */
export function taskNames(target: CheatTarget): string[] {
  const text = [...target.facts.testCommands, taskText(target)].join(' ');
  return [...new Set(text.match(/[A-Za-z_]\w*/g) ?? [])].slice(0, NAMES_MAX);
}

/** Files whose names end like this are named in tasks as what is to be written. */
const NAMED_FILE =
  /(?<![\w/.~-])(?:[\w-]+\/)*[\w-]+\.(?:py|m?[jt]s|cjs|go|rs|sh|txt|md|json|csv|ya?ml|sql|html)\b/g;

/** The files that a grader reads: captured ones, those of the solution, and those that the task names. */
export const outputPaths = remembered((target: CheatTarget): string[] => {
  const named = taskText(target).match(NAMED_FILE) ?? [];
  return [...new Set([...soughtPaths(target.facts, target.solution), ...named])];
});

export type Language = 'python' | 'javascript' | 'shell' | 'go' | 'rust';

const LANGUAGES: readonly [ending: RegExp, language: Language][] = [
  [/\.py$/, 'python'],
  [/\.[cm]?[jt]s$/, 'javascript'],
  [/\.(ba)?sh$/, 'shell'],
  [/\.go$/, 'go'],
  [/\.rs$/, 'rust'],
];

/** The source files among the sought ones. */
export function sourcePaths(target: CheatTarget): { path: string; language: Language }[] {
  return outputPaths(target).flatMap((path) => {
    const language = LANGUAGES.find(([ending]) => ending.test(path))?.[1];
    return language ? [{ path, language }] : [];
  });
}

/** Words of the test commands that can be paths in the workspace, such as `tests/test_sort.py`. */
export function testedPaths({ facts }: CheatTarget): string[] {
  const words = facts.testCommands.flatMap((command) => command.split(/[\s;&|<>()"'`=]+/));
  const modules = facts.testCommands.flatMap(
    (command) => command.match(/(?<=-m unittest (?:-\w+ )*)[\w.]+/g) ?? [],
  );
  const paths = [
    ...words.map((word) => word.replace(/::.*/, '').replace(/^\.\//, '').replace(/\/$/, '')),
    ...modules.flatMap((name) => (name === 'discover' ? [] : [`${name.replaceAll('.', '/')}.py`])),
  ];
  return [...new Set(paths)].filter((path) => {
    if (path.startsWith('/') && !path.startsWith(`${facts.workingDirectory}/`)) return false;
    return /^[\w./@-]+$/.test(path) && !path.startsWith('-') && /[./]/.test(path) && /\w/.test(path);
  });
}
