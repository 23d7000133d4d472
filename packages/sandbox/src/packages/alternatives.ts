/** A name that several packages can stand behind, and the file of one of them. Both absolute. */
export interface Alternative {
  link: string;
  target: string;
}

const DECLARED = /--(?:install|slave)\s+(\S+)\s+\S+\s+(\S+)/g;
/** Written out: what a script computes is not known without running it. */
const LITERAL = /^\/[A-Za-z0-9._+@:/-]+$/;

/** What a package's script would register with `update-alternatives`, read from the script instead of running it. */
export function alternativesIn(script: string): Alternative[] {
  const commands = script.replace(/\\\n/g, ' ').split('\n');
  return commands
    .filter((line) => /\bupdate-alternatives\b/.test(line))
    .flatMap((line) => [...line.matchAll(DECLARED)])
    .map(([, link = '', target = '']) => ({ link, target }))
    .filter(({ link, target }) => [link, target].every((path) => LITERAL.test(path) && !path.includes('..')));
}
