import { Handles, type Serves } from '@agentclash/bus';
import { type In, profiles } from '@agentclash/contracts';
import { ProfilesService } from './profiles.service.js';

@Handles(profiles)
export class ProfilesHandlers implements Serves<typeof profiles> {
  constructor(private readonly service: ProfilesService) {}

  create(request: In<typeof profiles.create>) {
    return this.service.create(request);
  }

  update(request: In<typeof profiles.update>) {
    return this.service.update(request);
  }

  list(request: In<typeof profiles.list>) {
    return this.service.list(request);
  }

  get(request: In<typeof profiles.get>) {
    return this.service.get(request);
  }

  async remove(request: In<typeof profiles.remove>) {
    await this.service.remove(request);
    return {};
  }
}
