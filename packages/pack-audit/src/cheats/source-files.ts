import type { AuditAgent } from '../agents/agent.js';
import type { CheatTarget } from './cheat.js';
import { programAgent } from './program.js';
import { type Language, sourcePaths, taskNames } from './task.js';

/** The text of a source file by language. The function `cheat` that it defines is every name that it exports. */
export type SourceBodies = Partial<Record<Language, string>>;

/** Writes the bodies as the sought source files; undefined where no test runs one of these languages. */
export function sourceAgent(target: CheatTarget, bodies: SourceBodies): AuditAgent | undefined {
  if (target.facts.testCommands.length === 0) return undefined;
  const files = sourceTexts(target, bodies);
  return Object.keys(files).length === 0 ? undefined : programAgent(target, { files });
}

/** Source files that can be loaded and do nothing, for cheats that let the tests begin. */
export function emptySources(target: CheatTarget): Record<string, string> {
  return sourceTexts(target, { python: '', javascript: '', shell: '' });
}

function sourceTexts(target: CheatTarget, bodies: SourceBodies): Record<string, string> {
  const names = taskNames(target);
  const files = sourcePaths(target).flatMap(({ path, language }) => {
    const body = bodies[language];
    return body === undefined ? [] : [[path, sourceText(body, { path, language, names })] as const];
  });
  return Object.fromEntries(files);
}

interface SourceFile {
  path: string;
  language: Language;
  names: readonly string[];
}

function sourceText(body: string, { path, language, names }: SourceFile): string {
  if (language === 'python') return pythonModule(body, names);
  if (language === 'javascript') return javascriptModule(body, { path, names });
  return `${body.trim()}\n`;
}

/** A module in which every name of the task, and any other, is `cheat`. */
function pythonModule(body: string, names: readonly string[]): string {
  return `import os, sys
def cheat(*args, **kwargs):
    return None
${body.trim()}
def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return cheat
for _name in ${JSON.stringify(names)}:
    globals().setdefault(_name, cheat)
`;
}

/** Node.js takes a file named `.js` for either kind of module, by its syntax. */
function javascriptModule(body: string, { path, names }: { path: string; names: readonly string[] }): string {
  const source = `const builtin = (name) => process.getBuiltinModule(name);
var cheat = () => undefined;
${body.trim()}
`;
  const isCommon = path.endsWith('.cjs');
  return `${source}${isCommon ? 'module.exports = new Proxy(cheat, { get: () => cheat });\n' : exported(names)}`;
}

function exported(names: readonly string[]): string {
  const list = names.filter((name) => name !== 'default').map((name) => `cheat as ${name}`);
  return `export { ${[...list, 'cheat as default'].join(', ')} };\n`;
}
