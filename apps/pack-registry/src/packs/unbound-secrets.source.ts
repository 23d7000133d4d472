import { Bus } from '@agentclash/bus';
import { type JsonValue, type Manifest, secretKeysOf, serverSecrets } from '@agentclash/challengepack';
import { vault } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';

/** The most keys that are looked up. */
const KEYS_MAX = 1_000;

/** The secrets of a pack's tools and servers that are not bound to hosts. */
@Injectable()
export class UnboundSecrets {
  constructor(
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Used for a warning only: empty when the vault is unreachable. */
  async in(workspaceId: string, { tools }: Pick<Manifest, 'tools'>): Promise<string[]> {
    const args = (tools?.custom ?? []).map(({ implementation }) => implementation.args ?? {});
    const ofServers = serverSecrets(tools?.mcp_servers ?? []);
    const keys = [...new Set([...keysIn(args), ...ofServers])].slice(0, KEYS_MAX);
    if (keys.length === 0) return [];
    try {
      return (await this.bus.call(vault.unbound, { workspace_id: workspaceId, keys })).keys;
    } catch (error) {
      this.logger.warn({ err: error, workspace_id: workspaceId }, 'bindings of secrets were not checked');
      return [];
    }
  }
}

function keysIn(value: JsonValue): string[] {
  if (typeof value === 'string') return secretKeysOf(value);
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(keysIn);
}
