import { isRecord, referencedSha256 } from '@agentclash/domain';
import type { ReplayCut, ReplayStep } from '../routes/attempts.js';

type Path = ReplayCut['at'];

/** Deeper values are kept as they are. */
const DEPTH_MAX = 32;
const SENT: Path = ['input', 'sent'];

/**
 * The step with its texts cut to `textMax` characters, and a list of what is missing; `sentEvent` is the event with the
 * messages of a model call.
 */
export function cutStep(step: ReplayStep, textMax: number, sentEvent: number | undefined): ReplayStep {
  const { input, result, sequence_numbers: numbers, finished_at } = step;
  const [first = 0, last = first] = [numbers[0], finished_at === null ? undefined : numbers.at(-1)];
  const cuts: ReplayCut[] = [];
  const within = (value: unknown, at: Path): unknown => {
    const isSent = sentEvent !== undefined && SENT.every((member, index) => at[index] === member);
    const event = isSent ? sentEvent : at[0] === 'input' ? first : last;
    if (typeof value === 'string') {
      if (value.length <= textMax) return value;
      cuts.push({ at, event, length: value.length });
      return beginning(value, textMax);
    }
    if (at.length > DEPTH_MAX) return value;
    if (Array.isArray(value)) return value.map((each, index) => within(each, [...at, index]));
    if (!isRecord(value)) return value;
    // Deeper, it is what an agent wrote.
    const isPayload = at.length === 1 || (isSent && at.length === SENT.length);
    if (isPayload && referencedSha256(value) !== undefined) {
      cuts.push({ at, event, length: Number(value.bytes) });
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, within(each, [...at, name])]),
    );
  };
  const [shownInput, shownResult] = [within(input, ['input']), within(result, ['result'])];
  if (cuts.length === 0) return step;
  return {
    ...step,
    input: shownInput as ReplayStep['input'],
    result: shownResult as ReplayStep['result'],
    cuts,
  };
}

/** Without half of a surrogate pair at the end. */
function beginning(text: string, length: number): string {
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf ? length - 1 : length);
}
