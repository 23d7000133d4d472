import {
  budgetInWords,
  type PairMeter,
  pairMeters,
  Race,
  type Run,
  type RunAgent,
  raceLine,
  raceStateOf,
  runTitle,
} from '@agentclash/api';

type ShownRun = Pick<Run, 'id' | 'number' | 'name' | 'pack' | 'input_set'>;
type RacedRun = Pick<Run, 'id' | 'stop_when' | 'race' | 'budget' | 'repetitions' | 'status'>;

/** The race that the terminal shows, under its title. */
export class Board extends Race {
  readonly title: string;
  private run: RacedRun;

  constructor(run: ShownRun & RacedRun, agents: readonly RunAgent[]) {
    super(agents);
    this.run = run;
    const { slug, version_number: version } = run.pack;
    this.title = `${runTitle(run)}  ${slug} v${version} / ${run.input_set.key}`;
  }

  get runId(): string {
    return this.run.id;
  }

  /** True when the run has verdicts or a budget, whose state no event has. */
  get hasRace(): boolean {
    return this.run.stop_when !== undefined;
  }

  /** The pairs of a race to a decision, as far as they were read. */
  get pairs(): PairMeter[] {
    return this.run.race === undefined ? [] : pairMeters(this.run.race, this.lanes);
  }

  /** `decided after 61 of 500 cases, 23 USD instead of 188 USD`; undefined for a run without `stop_when`. */
  get raceLine(): string | undefined {
    const { run, stopped, lanes } = this;
    const status = (this.status ?? run.status) as Run['status'];
    const state = raceStateOf({ ...run, status, ...(stopped && { stopped }) }, lanes);
    return state && raceLine(state);
  }

  /** `30 of 60 attempts used`; undefined without a budget. */
  get budgetLine(): string | undefined {
    return this.run.budget && budgetInWords(this.run.budget);
  }

  /** Takes verdicts and budget of the run as the server has them now, and returns the pairs whose verdict is new. */
  observe(run: RacedRun): PairMeter[] {
    const before = new Map(this.pairs.map((pair) => [pairKey(pair), pair.verdict]));
    this.run = run;
    return this.pairs.filter((pair) => pair.verdict !== null && before.get(pairKey(pair)) !== pair.verdict);
  }
}

function pairKey({ a, b }: PairMeter): string {
  return `${a.id} ${b.id}`;
}
