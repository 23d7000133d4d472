import type { KindName } from '../../resources/kind-names.js';
import { KINDS } from '../../resources/kinds.js';
import type { Session } from '../../session.js';
import { oneLine } from '../../terminal/printable.js';
import type { Applied } from './apply.js';

/** What became of a resource, or did not. */
export type AppliedResource =
  | Applied
  | {
      resource: KindName;
      name: string;
      applied: 'failed' | 'not_done';
      id?: undefined;
      warnings?: undefined;
    };

const WORD_WIDTH = 'unchanged'.length;

export function appliedLine(
  { out: { paint } }: Session,
  { resource, name, applied, id = '' }: AppliedResource,
): string {
  const colors = {
    ...{ created: paint.green, revised: paint.green, unchanged: paint.dim },
    ...{ failed: paint.red, not_done: paint.yellow },
  };
  const word = colors[applied](applied.replace('_', ' ').padEnd(WORD_WIDTH));
  return `${word} ${KINDS[resource].noun} ${paint.bold(oneLine(name))}  ${paint.dim(id)}`.trimEnd();
}
