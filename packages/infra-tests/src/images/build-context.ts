import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The files of a build context: those below a folder that its `.dockerignore` does not exclude. */
export function contextFiles(folder: string, ignoreFile: string): string[] {
  const rules = readFileSync(ignoreFile, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isException: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }));
  const isExcluded = (file: string) =>
    rules.findLast(({ pattern }) => pattern.test(file))?.isException === false;
  const found: string[] = [];
  const walk = (below: string) => {
    for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
      const file = path.posix.join(below, entry.name);
      if (entry.isDirectory()) {
        if (!/(^|\/)(node_modules|\.git|dist)$/.test(file)) walk(file);
      } else if (!isExcluded(file)) found.push(file);
    }
  };
  walk('');
  return found;
}

/** A rule matches a path and everything below it. */
function patternOf(glob: string): RegExp {
  const source = glob
    .split('/')
    .map((part) => (part === '**' ? '**' : part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^/]*')))
    .join('/')
    .replace(/^\*\*\//, '(?:.*/)?')
    .replace(/^\*\*$/, '.*');
  return new RegExp(`^${source}(?:/.*)?$`);
}
