import { Handles, type Serves } from '@agentclash/bus';
import { comparisons, type In } from '@agentclash/contracts';
import { ComparisonsService } from './comparisons.service.js';

@Handles(comparisons)
export class ComparisonsHandlers implements Serves<typeof comparisons> {
  constructor(private readonly service: ComparisonsService) {}

  async compare({ workspace_id, ...query }: In<typeof comparisons.compare>) {
    return (await this.service.compare(workspace_id, query)).content;
  }

  get(request: In<typeof comparisons.get>) {
    return this.service.get(request);
  }
}
