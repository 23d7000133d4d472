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

/** Files beside the folders that compose a package or start it. */
const COMPOSITION = /^(?:index|main|start|app\.module)\.(?:ts|tsx|js|mjs)$/;

/**
 * Each set of folders that reach each other, imports of types included. The files beside the folders are two of them:
 * those that compose the package, which no folder may import, and the others (`.`). Tests belong to none.
 */
function cyclesOf({ folder, files }) {
  const root = `${folder}/src`;
  const graph = new Map();
  const folderOf = (file) => {
    const own = path.posix.dirname(file);
    return own === root && COMPOSITION.test(path.posix.basename(file)) ? `${root}/index.ts` : own;
  };
  for (const file of files.filter(({ isTest }) => !isTest)) {
    const from = folderOf(file.path);
    for (const { target } of importsOf(file)) {
      const to = folderOf(path.posix.join(path.posix.dirname(file.path), target));
      if (!target.startsWith('.') || to === from) continue;
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
  return [...groups.values()].map((group) => group.map((each) => path.posix.relative(root, each) || '.'));
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
