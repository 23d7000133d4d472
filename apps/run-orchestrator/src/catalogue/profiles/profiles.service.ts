import { Handles, type Serves } from '@agentclash/bus';
import { profiles, type RuntimeProfile, RuntimeProfileSpec } from '@agentclash/contracts';
import { EditableResource } from '../resources/workspace-resource.js';
import { ProfilesStore } from './profiles.store.js';

@Handles(profiles)
export class ProfilesService
  extends EditableResource<'profile', RuntimeProfile, RuntimeProfileSpec, ProfilesStore>
  implements Serves<typeof profiles>
{
  constructor(store: ProfilesStore) {
    super({ key: 'profile', noun: 'runtime profile' }, store);
  }

  /** The schema drops what is not of the spec: ids and timestamps. */
  protected override specOf(profile: RuntimeProfile): object {
    return RuntimeProfileSpec.strip().parse(profile);
  }
}
