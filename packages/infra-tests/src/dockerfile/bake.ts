import { readFileSync } from 'node:fs';

export interface BakeTarget {
  inherits?: string[];
  target?: string;
  args?: Record<string, string>;
  tags?: string[];
  attest?: string[];
  platforms?: string[];
}

/** What `docker buildx bake` makes, by name; each with what it inherits. */
export function readBake(file: string): Record<string, BakeTarget> {
  const { target: targets } = JSON.parse(readFileSync(file, 'utf8')) as {
    target: Record<string, BakeTarget>;
  };
  return Object.fromEntries(
    Object.entries(targets).map(([name, target]) => {
      const inherited = (target.inherits ?? []).map((parent) => targets[parent] ?? {});
      const all = [...inherited, target];
      const args = Object.assign({}, ...all.map((part) => part.args));
      return [name, { ...Object.assign({}, ...all), args }];
    }),
  );
}
