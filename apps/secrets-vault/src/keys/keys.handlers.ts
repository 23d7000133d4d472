import { Handles, type Serves } from '@agentclash/bus';
import { type In, vaultKeys } from '@agentclash/contracts';
import { Keys } from './keys.service.js';
import { RotationLoop } from './rotation.loop.js';

@Handles(vaultKeys)
export class KeysHandlers implements Serves<typeof vaultKeys> {
  constructor(
    private readonly keys: Keys,
    private readonly rotation: RotationLoop,
  ) {}

  status() {
    return this.keys.status();
  }

  async rotate({ actor }: In<typeof vaultKeys.rotate>) {
    await this.keys.rotate(actor);
    this.rotation.wake();
    return await this.keys.status();
  }

  async retire({ key_id, actor }: In<typeof vaultKeys.retire>) {
    await this.keys.retire(key_id, actor);
    return await this.keys.status();
  }
}
