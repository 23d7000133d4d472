import { RE2JS } from 're2js';

/** Whether a name fits a shell glob: `*`, `?`, `[…]` and `[!…]`, `\` takes the next character literally. */
export function globMatcher(glob: string): (name: string) => boolean {
  const pattern = RE2JS.compile(`^(?s:${patternOf(glob)})$`);
  return (name) => pattern.matcher(name).find();
}

function patternOf(glob: string): string {
  let pattern = '';
  for (let at = 0; at < glob.length; ) {
    const set = /^\[(!?)(\]?[^\]]*)\]/.exec(glob.slice(at));
    if (set) {
      pattern += `[${set[1] ? '^' : ''}${(set[2] ?? '').replace(/[\\[\]^]/g, '\\$&')}]`;
      at += set[0].length;
      continue;
    }
    const escaped = glob[at] === '\\' && at + 1 < glob.length;
    const character = String.fromCodePoint(glob.codePointAt(escaped ? at + 1 : at) ?? 0);
    pattern += escaped ? RE2JS.quote(character) : (WILDCARDS[character] ?? RE2JS.quote(character));
    at += (escaped ? 1 : 0) + character.length;
  }
  return pattern;
}

const WILDCARDS: Record<string, string> = { '*': '.*', '?': '.' };
