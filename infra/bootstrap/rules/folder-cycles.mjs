import path from 'node:path';
import { importsOf } from './workspace.mjs';

/** The folders of a package import each other in one direction only. */
export function checkFolderCycles(workspace) {
  return workspace.flatMap((unit) =>
    cyclesOf(unit).map((folders) => ({
      at: unit.folder,
      message: `these folders import each other in a cycle: ${folders.join(', ')}`,
    })),
  );
}

/**
 * Each set of folders that reach each other, imports of types included. Tests, and files beside the folders (`main.ts`,
 * `app.module.ts`, `config.ts`), belong to none of them.
 */
function cyclesOf({ folder, files }) {
  const root = `${folder}/src`;
  const graph = new Map();
  for (const file of files.filter(({ isTest }) => !isTest)) {
    const from = path.posix.dirname(file.path);
    if (from === root) continue;
    for (const { target } of importsOf(file)) {
      const to = path.posix.dirname(path.posix.join(from, target));
      if (!target.startsWith('.') || to === from || to === root) continue;
      graph.set(from, (graph.get(from) ?? new Set()).add(to));
    }
  }
  const reached = new Map([...graph.keys()].map((from) => [from, reachedFrom(graph, from)]));
  const inCycle = [...graph.keys()].filter((from) => reached.get(from).has(from)).sort();
  const groups = new Map();
  for (const from of inCycle) {
    const group = inCycle.filter((other) => reached.get(from).has(other) && reached.get(other).has(from));
    groups.set(group.join(), group);
  }
  return [...groups.values()].map((group) => group.map((each) => path.posix.relative(root, each)));
}

function reachedFrom(graph, start) {
  const found = new Set();
  const open = [...(graph.get(start) ?? [])];
  while (open.length > 0) {
    const next = open.pop();
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return found;
}
