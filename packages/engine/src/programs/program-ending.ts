import { CallRefused } from '@agentclash/model-broker';
import type { Clock } from '../clock.js';
import { type AttemptEnd, AttemptEnded } from '../outcome/attempt-end.js';
import type { StageClock } from '../outcome/stage-clock.js';

/** After its last refusal or failure a program may still write its report, so that its own words are evidence. */
const GRACE_MS = 3_000;

export interface ProgramEndingOptions {
  stage: Pick<StageClock, 'check' | 'signal'>;
  clock: Pick<Clock, 'sleep'>;
  /** Ends the program; the reason is the end of its attempt. */
  end: (reason: AttemptEnded) => void;
}

/** Decides whether a program may make further calls, and ends it when it may not. */
export class ProgramEnding {
  private readonly closing = new AbortController();
  /** Aborts when the attempt ends, or takes no further call; the reason is an AttemptEnded. */
  readonly signal: AbortSignal;
  private decided: AttemptEnd | undefined;

  constructor(private readonly options: ProgramEndingOptions) {
    this.signal = AbortSignal.any([options.stage.signal, this.closing.signal]);
  }

  /** The reason for which no further call is made. */
  get reason(): AttemptEnd | undefined {
    return this.decided;
  }

  get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  /** Throws CallRefused when the program may make no further call. */
  check(): void {
    if (this.isClosed) throw new CallRefused('ended', 'The attempt has ended.');
    if (this.decided) throw callRefused(this.decided);
    try {
      this.options.stage.check();
    } catch (error) {
      if (!(error instanceof AttemptEnded)) throw error;
      throw new CallRefused('ended', 'The time of the attempt is used up.');
    }
  }

  /** No further call is made, and the program is ended if it does not end by itself. */
  later(end: AttemptEnd): CallRefused {
    if (this.decided === undefined) {
      this.decided = end;
      const { clock } = this.options;
      clock.sleep(GRACE_MS, this.closing.signal).then(
        () => this.options.end(new AttemptEnded(end)),
        () => undefined,
      );
    }
    return callRefused(end);
  }

  /** Ends the program at once. Of several reasons the first is the attempt's. */
  now(end: AttemptEnd): CallRefused {
    // A call that was under way when the program ended is cancelled, which is no reason for its end.
    if (this.isClosed && end.because === 'cancelled') return callRefused(end);
    this.decided ??= end;
    this.options.end(new AttemptEnded(this.decided));
    return callRefused(end);
  }

  /** Refuses every further call. Idempotent. */
  close(): void {
    this.closing.abort(new AttemptEnded({ because: 'cancelled' }));
  }
}

const LIMIT_NAMES: Partial<Record<string, string>> = {
  iterations: 'model calls',
  tool_calls: 'tool calls',
  tokens: 'tokens',
  cost: 'cost',
};

/** A sentence for the program's user. */
function callRefused(end: AttemptEnd): CallRefused {
  if (end.because === 'limit') {
    const name = LIMIT_NAMES[end.limit] ?? end.limit;
    const detail = end.message === undefined ? '' : ` In detail: ${end.message}.`;
    return new CallRefused('limit', `The attempt has reached its limit of ${name}.${detail}`);
  }
  return new CallRefused('ended', END_MESSAGES[end.because] ?? 'The attempt has ended.');
}

const END_MESSAGES: Partial<Record<AttemptEnd['because'], string>> = {
  provider: 'The model of the attempt cannot be used.',
  infra: 'The attempt has ended by an error of the platform.',
  policy: 'The attempt has ended by a violation of its policy.',
};
