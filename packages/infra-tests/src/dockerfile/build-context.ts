import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The files below a folder that a `.dockerignore` lets into the build, relative to the folder. */
export function contextFiles(folder: string, ignoreFile: string): string[] {
  const rules = readFileSync(ignoreFile, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isException: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }));
  const isLeftOut = (file: string) =>
    rules.findLast(({ pattern }) => pattern.test(file))?.isException === false;
  const found: string[] = [];
  const walk = (at: string) => {
    for (const entry of readdirSync(path.join(folder, at), { withFileTypes: true })) {
      const file = path.posix.join(at, entry.name);
      if (entry.isDirectory()) {
        if (!/(^|\/)(node_modules|\.git|dist)$/.test(file)) walk(file);
      } else if (!isLeftOut(file)) found.push(file);
    }
  };
  walk('');
  return found;
}

/** A rule speaks of what it names and of everything below. */
function patternOf(glob: string): RegExp {
  const source = glob
    .split('/')
    .map((part) => (part === '**' ? '**' : part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^/]*')))
    .join('/')
    .replace(/^\*\*\//, '(?:.*/)?')
    .replace(/^\*\*$/, '.*');
  return new RegExp(`^${source}(?:/.*)?$`);
}
