import { Race, type Run, type RunAgent } from '@agentclash/api';

/** The race that the terminal shows, under its title. */
export class Board extends Race {
  readonly title: string;

  constructor(run: Pick<Run, 'id' | 'name' | 'pack' | 'input_set'>, agents: readonly RunAgent[]) {
    super(agents);
    const { slug, version_number: number } = run.pack;
    this.title = `${run.name ?? run.id}  ${slug} v${number} / ${run.input_set.key}`;
  }
}
