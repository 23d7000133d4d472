import { trim } from '../text/white-space.js';
import { foldCase } from './case-folding.js';

const MEANINGS = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

/** The value of a text such as `Yes` or ` 0 `; null when it is none of the known words. */
export function readBooleanText(text: string): boolean | null {
  return MEANINGS.get(foldCase(trim(text))) ?? null;
}
