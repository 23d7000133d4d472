import { Bus } from '@agentclash/bus';
import { runs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { RunTail } from './run-tail.js';

/** A run of a workspace. */
export interface RunKey {
  workspace_id: string;
  run_id: string;
}

interface Followed {
  tail: RunTail;
  followers: number;
}

/** The tails of the runs that streams of this instance follow, each for as long as there is one. */
@Injectable()
export class RunTails {
  private readonly followed = new Map<string, Followed>();

  constructor(private readonly bus: Bus) {}

  /** To be left once, when the stream is over. */
  follow({ workspace_id, run_id }: RunKey): { tail: RunTail; leave: () => void } {
    const key = `${workspace_id}/${run_id}`;
    const followed = this.followed.get(key) ?? { tail: this.tailOf({ workspace_id, run_id }), followers: 0 };
    followed.followers += 1;
    this.followed.set(key, followed);
    const leave = () => {
      followed.followers -= 1;
      if (followed.followers === 0) this.followed.delete(key);
    };
    return { tail: followed.tail, leave };
  }

  private tailOf(run: RunKey): RunTail {
    return new RunTail((after, limit) => this.bus.call(runs.events, { ...run, after, limit }));
  }
}
