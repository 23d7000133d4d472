import { SandboxError } from '../sandbox-error.js';

/** Far more than people write: each path is compared with all of it. */
const CHARACTERS_MAX = 16_384;

/** A state of the matcher, by what leads from it to the next one. */
type Step =
  | { kind: 'one'; takes: (character: string) => boolean }
  /** Takes any number of such characters. */
  | { kind: 'run'; takes: (character: string) => boolean }
  /** Takes nothing and leads past the `directories` after it as well. */
  | { kind: 'enter' }
  /** Takes anything, up to a slash. */
  | { kind: 'directories' };

/**
 * By the rules of `.dockerignore`: the last pattern that matches a path, or a directory above it, decides. Throws
 * `invalid_image`. A match takes no more steps than pattern and path have characters, multiplied: authors write both.
 */
export function ignoring(text: string): (name: string) => boolean {
  if (text.length > CHARACTERS_MAX) {
    const fix = 'exclude directories as a whole';
    throw new SandboxError('invalid_image', `.dockerignore has more than ${CHARACTERS_MAX} characters`, {
      fix,
    });
  }
  const rules = text
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, number }) => ({
      isKept: line.startsWith('!'),
      steps: stepsOf(normalized(line.replace(/^!/, '').trim()), number),
    }));
  return (name) =>
    rules.reduce(
      (isOut, { isKept, steps }) => (isOut === isKept && matches(steps, name) ? !isKept : isOut),
      false,
    );
}

/** Without empty parts, `.`, and slashes at its ends. */
function normalized(glob: string): string {
  return glob
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** `*` and `?` stay within a name, `**` takes any number of directories, and a backslash takes the next character as it is. */
function stepsOf(glob: string, number: number): Step[] {
  const steps: Step[] = [];
  const parts = glob.matchAll(/\*\*\/|\*\*|\*|\?|\[(\^|!)?(\]?[^\]]*)\]|\\?(.)/gsu);
  for (const [part, negation, members, literal] of parts) {
    if (part === '**/') steps.push({ kind: 'enter' }, { kind: 'directories' });
    else if (part === '**') steps.push({ kind: 'run', takes: () => true });
    else if (part === '*') steps.push({ kind: 'run', takes: isInName });
    else if (part === '?') steps.push({ kind: 'one', takes: isInName });
    else if (members !== undefined) steps.push(classStep(members, negation !== undefined, number));
    else steps.push({ kind: 'one', takes: (character) => character === literal });
  }
  return steps;
}

function isInName(character: string): boolean {
  return character !== '/';
}

function classStep(members: string, isNegated: boolean, number: number): Step {
  const ranges = [...members.matchAll(/(.)-(.)|(.)/gsu)].map(([, from, to, one = '']) => ({
    from: from ?? one,
    to: to ?? one,
  }));
  if (ranges.length === 0 || ranges.some(({ from, to }) => from > to)) {
    throw new SandboxError('invalid_image', `line ${number} of .dockerignore is no pattern: [${members}]`, {
      fix: 'write the range of characters from the lower to the higher, such as [a-z]',
    });
  }
  const isMember = (character: string) => ranges.some(({ from, to }) => from <= character && character <= to);
  return { kind: 'one', takes: (character) => isInName(character) && isMember(character) !== isNegated };
}

/** All states at once, one character after the other: nothing is tried twice. */
function matches(steps: readonly Step[], name: string): boolean {
  let states = new Set<number>();
  enter(states, steps, 0);
  for (const character of name) {
    if (character === '/' && states.has(steps.length)) return true;
    const next = new Set<number>();
    for (const at of states) follow(next, { steps, at, character });
    if (next.size === 0) return false;
    states = next;
  }
  return states.has(steps.length);
}

function follow(
  next: Set<number>,
  { steps, at, character }: { steps: readonly Step[]; at: number; character: string },
): void {
  const step = steps[at];
  if (step?.kind === 'one' && step.takes(character)) enter(next, steps, at + 1);
  if (step?.kind === 'run' && step.takes(character)) enter(next, steps, at);
  if (step?.kind === 'directories') {
    next.add(at);
    if (character === '/') enter(next, steps, at + 1);
  }
}

/** A state, and those that follow it without a character. */
function enter(states: Set<number>, steps: readonly Step[], from: number): void {
  for (let at = from; !states.has(at); at++) {
    const step = steps[at];
    if (step?.kind === 'enter') {
      states.add(at + 1);
      at += 1;
      continue;
    }
    states.add(at);
    if (step?.kind !== 'run') return;
  }
}
