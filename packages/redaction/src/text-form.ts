import { JSON_ESCAPES } from '@agentclash/domain';
import type { Form } from './form.js';

/** `text`: units are UTF-16 code units. `bytes`: units are UTF-8 bytes, read as Latin-1. */
export type UnitKind = 'text' | 'bytes';

/** The spellings of one character; each is a list of positions, a position its permitted units. */
type Spellings = readonly (readonly string[])[];

const NAMED_ENTITIES: Record<string, readonly string[]> = {
  '&': ['amp', 'AMP'],
  '<': ['lt', 'LT'],
  '>': ['gt', 'GT'],
  '"': ['quot', 'QUOT'],
  "'": ['apos'],
};

// A state is the character's index, the spelling within it and the position within that: 16 is the longest spelling
// (`\xXX` of four bytes), and there are at most 16.
const POSITIONS = 16;
const STATES_PER_CHARACTER = 256;

/**
 * A value as text, each character raw, percent-encoded, as `\uXXXX`, as `\xXX` of its UTF-8 bytes, in its short JSON
 * escape, as an HTML entity (named, decimal or hexadecimal), a space also as `+`, freely mixed.
 */
export class TextForm implements Form {
  readonly starts = [0];
  readonly units: ReadonlySet<string>;
  private readonly characters: readonly Spellings[];

  constructor(value: string, kind: UnitKind) {
    const known = new Map<string, Spellings>();
    this.characters = Array.from(value, (character) => {
      const spellings = known.get(character) ?? spellingsOf(character, kind);
      known.set(character, spellings);
      return spellings;
    });
    this.units = new Set([...known.values()].flatMap((spellings) => spellings.flat().join('').split('')));
  }

  next(state: number, unit: string): readonly number[] {
    const index = Math.floor(state / STATES_PER_CHARACTER);
    const spellings = this.characters[index];
    if (spellings === undefined) return [];
    const within = state % STATES_PER_CHARACTER;
    const started = Math.floor(within / POSITIONS);
    const position = within % POSITIONS;
    const following: number[] = [];
    for (const [number, spelling] of spellings.entries()) {
      if (position > 0 && number !== started) continue;
      if (!spelling[position]?.includes(unit)) continue;
      const isComplete = position + 1 === spelling.length;
      following.push(
        isComplete
          ? (index + 1) * STATES_PER_CHARACTER
          : index * STATES_PER_CHARACTER + number * POSITIONS + position + 1,
      );
    }
    return following;
  }

  accepts(state: number): boolean {
    return state === this.characters.length * STATES_PER_CHARACTER;
  }
}

function spellingsOf(character: string, kind: UnitKind): Spellings {
  const utf8 = Buffer.from(character);
  const raw = kind === 'bytes' ? utf8.toString('latin1') : character;
  const percent = [...utf8].map((byte) => `%${hex(byte, 2)}`).join('');
  const escaped = character
    .split('')
    .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join('');
  const short = JSON_ESCAPES[character];
  return [
    raw.split(''),
    eitherCase(percent),
    // The `u` itself has only one case.
    eitherCase(escaped),
    ...(short === undefined ? [] : [['\\', short]]),
    ...(character === ' ' ? [['+']] : []),
    eitherCase([...utf8].map((byte) => `\\x${hex(byte, 2)}`).join('')),
    ...entitiesOf(character),
  ];
}

/** With one leading zero too, as some encoders write `&#039;`. */
function entitiesOf(character: string): string[][] {
  const code = character.codePointAt(0) ?? 0;
  const named = (NAMED_ENTITIES[character] ?? []).map((name) => [...`&${name};`]);
  const decimal = [`&#${code};`, `&#0${code};`].map((text) => [...text]);
  const hexadecimal = [code.toString(16), `0${code.toString(16)}`].map((digits) => [
    ...['&', '#', 'xX'],
    ...eitherCase(digits),
    ';',
  ]);
  return [...named, ...decimal, ...hexadecimal];
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function eitherCase(text: string): string[] {
  return text.split('').map((unit) => (/[a-f]/.test(unit) ? unit + unit.toUpperCase() : unit));
}
