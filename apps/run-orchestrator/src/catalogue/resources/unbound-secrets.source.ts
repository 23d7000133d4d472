import { Bus } from '@agentclash/bus';
import { vault, type Warning } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';

/** Warns of secrets that are bound to nothing. */
@Injectable()
export class UnboundSecrets {
  constructor(
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** None where the vault cannot be reached: used for a warning only. */
  async warnings(workspaceId: string, keys: readonly string[]): Promise<Warning[]> {
    if (keys.length === 0) return [];
    try {
      const request = { workspace_id: workspaceId, keys: [...new Set(keys)] };
      return unboundWarnings((await this.bus.call(vault.unbound, request)).keys);
    } catch (error) {
      this.logger.warn({ err: error, workspace_id: workspaceId }, 'bindings of secrets were not checked');
      return [];
    }
  }
}

export function unboundWarnings(keys: readonly string[]): Warning[] {
  if (keys.length === 0) return [];
  const [named, them] = [keys.join(', '), keys.length === 1 ? 'it' : 'them'];
  const what = keys.length === 1 ? `the secret ${named} is` : `the secrets ${named} are`;
  const message =
    `${what} bound to no origin, so that any pack or deployment may send ${them} anywhere: ` +
    `an admin sets ${them} again with --host (or with --any, if that is meant)`;
  return [{ code: 'secret_unbound', message }];
}
