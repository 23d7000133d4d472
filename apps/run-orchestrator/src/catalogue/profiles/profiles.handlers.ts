import { Handles, type Serves } from '@agentclash/bus';
import { type In, profiles } from '@agentclash/contracts';
import { ProfilesService } from './profiles.service.js';

@Handles(profiles)
export class ProfilesHandlers implements Serves<typeof profiles> {
  constructor(private readonly service: ProfilesService) {}

  create(ask: In<typeof profiles.create>) {
    return this.service.create(ask);
  }

  update(ask: In<typeof profiles.update>) {
    return this.service.update(ask);
  }

  list(ask: In<typeof profiles.list>) {
    return this.service.list(ask);
  }

  get(ask: In<typeof profiles.get>) {
    return this.service.get(ask);
  }

  async remove(ask: In<typeof profiles.remove>) {
    await this.service.remove(ask);
    return {};
  }
}
