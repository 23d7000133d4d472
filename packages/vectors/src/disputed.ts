import type { Vector } from './formats.js';

const UNGRADABLE =
  'a case lacks the expectation that its validator compares with: no attempt at it can be graded, which is an error';

const MIXED =
  'the cases of an input set may belong to several challenges, so that a benchmark of many tasks is one run';

/** Vectors that are considered wrong, by file and id, each with the reason. They are reported as skipped. */
export const DISPUTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'challenge-pack.yaml': {
    'cp-118-mixed-challenges': MIXED,
    'cp-120-first-key-blank': MIXED,
    'cp-128-item-key-not-checked': UNGRADABLE,
    'cp-130-timeout-zero': UNGRADABLE,
    'cp-136-stored-timeout': UNGRADABLE,
    'cp-138-stored-empty-payload': UNGRADABLE,
    'cp-142-legacy-items-with-empty-cases': UNGRADABLE,
    'cp-150-expectation-bare': UNGRADABLE,
    'cp-304-agent-view': UNGRADABLE,
    'cp-224-secret-host-literal':
      'its second tool sends a secret to a public host over plain http, which is an error',
    'cp-242-command-template':
      'its pytest runs code of the agent in the process that judges it, which is warned of (forgeable_tests)',
    'cp-248-instructions-lenient':
      'a placeholder without a value in instructions would reach the agent as it is written, which is an error',
    'cp-250-simulator':
      'its calibration and arena are not implemented: nothing would act upon them, which is an error with the reason',
    'cp-288-voice':
      'nothing executes a voice conversation: a pack whose every run would be refused is an error with the reason',
    'cp-272-security-any-family':
      'its adversarial prompt is in no case, which every agent would pass: refused',
  },
  'scoring-aggregate.yaml': {
    'aggregate-004':
      'an agent with more missing attempts than max_missing_share (default 0.05) has no verdict passed',
  },
  'execution-outcomes.yaml': {
    'out-036':
      'an endpoint that replies with any 5xx is retried and then missing: its server failed, not its reply',
    'out-040':
      'an endpoint that refuses with a 4xx has failed the case itself: missing data would reward refusing',
  },
};

/** Members that vectors of one kind want otherwise since their part of the specification was amended. */
interface Amendment {
  readonly kind: string;
  /** Paths of members; `*` is any name. */
  readonly members: readonly string[];
  readonly reason: string;
  /** The vectors of the kind that it concerns; all unless given. */
  readonly concerns?: (vector: Vector) => boolean;
}

const T_INTERVAL =
  'no interval of a score is the t interval, which leaves 0..1 and has no width where all values are equal';

/** Such members are not compared; the others are. */
const AMENDED: readonly Amendment[] = [
  { kind: 'aggregate', members: ['want.overall.ci', 'want.dimensions.*.ci'], reason: T_INTERVAL },
  { kind: 'aggregate', members: ['want.pass_rate.ci'], reason: T_INTERVAL, concerns: isRepeated },
  { kind: 'golden_agent', members: ['agent.want.ci95'], reason: T_INTERVAL },
];

/** With one trial per case the pass rate keeps the interval of the vectors. */
function isRepeated({ attempts }: Vector): boolean {
  return Array.isArray(attempts) && attempts.some(({ repetition }) => repetition > 1);
}

/** The vector without the members that were amended, and the reasons. */
export function withoutAmended(vector: Vector): { vector: Vector; reasons: string[] } {
  const reasons = new Set<string>();
  let kept: unknown = vector;
  for (const { kind, members, reason, concerns } of AMENDED) {
    if (vector.kind !== kind || concerns?.(vector) === false) continue;
    for (const member of members) {
      const without = omitted(kept, member.split('.'));
      if (without !== kept) reasons.add(reason);
      kept = without;
    }
  }
  return { vector: kept as Vector, reasons: [...reasons] };
}

/** A copy without the member at the path; the value itself where it has none. */
function omitted(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  let isChanged = false;
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (name !== '*' && key !== name) return [[key, member]];
    const kept = rest.length === 0 ? undefined : omitted(member, rest);
    isChanged ||= kept !== member;
    return rest.length === 0 ? [] : [[key, kept]];
  });
  return isChanged ? Object.fromEntries(entries) : value;
}
