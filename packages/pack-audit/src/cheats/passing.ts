import type { AuditAgent } from '../agents/agent.js';
import type { CheatTarget } from './cheat.js';
import { forgeInJavascript, forgeInPython, PASSING_OUTPUT } from './forged.js';
import { type CheatProgram, programAgent } from './program.js';
import { keepsHome, mayMake, testsIn } from './reach.js';
import { emptySources } from './source-files.js';

/** Leaves files in the workspace; undefined for a pack that runs no command there. */
export function inWorkspace(
  target: CheatTarget,
  files: NonNullable<CheatProgram['files']>,
  more: Pick<CheatProgram, 'script' | 'beside'> = {},
): AuditAgent | undefined {
  if (target.facts.testCommands.length === 0) return undefined;
  return programAgent(target, { ...more, files, defaults: emptySources(target) });
}

type Leave = typeof inWorkspace;

/** The same for tests in Python. */
export const inPython: Leave = (target, ...files) =>
  testsIn('python', target) ? inWorkspace(target, ...files) : undefined;

/** The same for tests in JavaScript. */
export const inNode: Leave = (target, ...files) =>
  testsIn('javascript', target) ? inWorkspace(target, ...files) : undefined;

/** The same for tests that make could run. */
export const inMake: Leave = (target, ...files) =>
  mayMake(target) ? inWorkspace(target, ...files) : undefined;

/** The same where a grader has the home directory of the agent. */
export const inHome: Leave = (target, ...files) =>
  keepsHome(target) ? inWorkspace(target, ...files) : undefined;

/** A module of Python that forges reports, prints that all tests pass, and ends the process with 0. */
export function passingModule(target: CheatTarget): string {
  return `import os, sys
${forgeInPython(target)}
forge()
os.write(1, ${JSON.stringify(PASSING_OUTPUT)}.encode())
os._exit(0)
`;
}

/** The same for Node.js. */
export function passingScript(target: CheatTarget): string {
  return `const builtin = (name) => process.getBuiltinModule(name);
${forgeInJavascript(target)}
forge();
builtin('node:fs').writeSync(1, ${JSON.stringify(PASSING_OUTPUT)});
process.reallyExit(0);
`;
}

/** A script of a shell that prints that all tests pass. */
export function passingShell(): string {
  return `#!/bin/sh
cat <<'END'
${PASSING_OUTPUT}END
exit 0
`;
}
