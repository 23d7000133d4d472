import type { AuditAgent } from '../agents/agent.js';
import type { CheatTarget } from './cheat.js';
import { programAgent } from './program.js';
import { sourcePaths, taskText } from './task.js';

interface GoResult {
  /** The type of the results of the functions that are written. */
  result: string;
  /** An expression of that type. */
  value: string;
  imports: readonly string[];
}

/** `Mean(values []float64) float64`, as tasks write it. */
const SIGNATURE = /\b([A-Z]\w*)\(([^()]*)\)\s+(\w+)\b/g;

/**
 * Writes the functions of a Go package whose signatures the task has, each with the same result: nothing else compiles with
 * its tests. Undefined where there are none.
 */
export function goAgent(target: CheatTarget, { result, value, imports }: GoResult): AuditAgent | undefined {
  const path = sourcePaths(target).find(
    (each) => each.language === 'go' && !each.path.endsWith('_test.go'),
  )?.path;
  if (path === undefined || target.facts.testCommands.length === 0) return undefined;
  const text = taskText(target);
  const functions = [...text.matchAll(SIGNATURE)].flatMap(([, name, parameters, type]) =>
    type === result ? [`func ${name}(${parameters}) ${type} { return ${value} }`] : [],
  );
  if (functions.length === 0) return undefined;
  const name = /\bpackage `?(\w+)/.exec(text)?.[1] ?? 'main';
  const module = /\bmodule `?([\w./-]*\w)/.exec(text)?.[1];
  const lines = [`package ${name}`, ...imports.map((each) => `import ${JSON.stringify(each)}`), ...functions];
  return programAgent(target, {
    files: {
      [path]: `${lines.join('\n\n')}\n`,
      ...(module !== undefined && { 'go.mod': `module ${module}\n` }),
    },
  });
}
