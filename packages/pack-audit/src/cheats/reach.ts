import type { CheatTarget } from './cheat.js';
import { outputPaths, sourcePaths } from './task.js';

/** True for a validator that reads what the agent replies. */
export function isReplyTarget({ target }: { target: string }): boolean {
  return !/^(file:|tool_calls)/.test(target);
}

/** True where a validator reads what the agent replies or writes as a text, rather than running it. */
export function readsText(target: CheatTarget): boolean {
  const { validators, llm_judges: judges = [] } = target.pack.spec;
  return judges.length > 0 || validators.some(isReplyTarget) || textPaths(target).length > 0;
}

/** The outputs that are no source files. */
export function textPaths(target: CheatTarget): string[] {
  const sources = new Set(sourcePaths(target).map(({ path }) => path));
  return outputPaths(target).filter((path) => !sources.has(path));
}

/** True where the files of the home directory reach the sandbox of the grader: it is part of the workspace. */
export function keepsHome({ pack: { manifest }, facts }: CheatTarget): boolean {
  const roots = [facts.workingDirectory, ...(manifest.filesystem?.writable_roots ?? [])];
  const { image, dockerfile } = manifest.sandbox ?? {};
  const isRootOfImage = image !== undefined || dockerfile !== undefined;
  return isRootOfImage || roots.some((root) => /^\/(home|root|$)/.test(root));
}

const PYTHON = /python|pytest|\.py\b/;
const NODE = /\b(node|npm|npx|pnpm|yarn|jest|vitest|mocha|deno|bun)\b|\.[cm]?[jt]s\b/;

/** True where tests run in this language, as far as commands and source files show it. */
export function testsIn(language: 'python' | 'javascript', target: CheatTarget): boolean {
  const commands = target.facts.testCommands.join(' ');
  const sources = sourcePaths(target).map((source) => source.language);
  const seen = {
    python: PYTHON.test(commands) || sources.includes('python'),
    javascript: NODE.test(commands) || sources.includes('javascript'),
  };
  return seen[language] || (!seen.python && !seen.javascript);
}

/** True where a test command could run targets of make: it names it, or a script that does not show what it runs. */
export function mayMake({ facts }: CheatTarget): boolean {
  return facts.testCommands.some((command) => /\bmake\b|\.sh\b|\bnpm\b/.test(command));
}
