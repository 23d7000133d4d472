import { manifestOf, readPack } from '@agentclash/challengepack';
import { type Patch, patched } from '@agentclash/challengepack/vectors/patch';
import { checkUrl } from '@agentclash/egress';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';

interface Vector {
  id: string;
  patch?: Patch[];
  kept?: { of?: string; address?: string; value?: boolean }[];
}

/** True when a sandbox of the pack reaches an address through the guarded client. */
async function reaches(text: string, address: string): Promise<boolean> {
  const reading = readPack(text);
  if (!reading.valid) throw new Error(JSON.stringify(reading.problems));
  const { network_access, network_allowlist = [] } = manifestOf(reading.pack).sandbox ?? {};
  if (!network_access) return false;
  const host = address.includes(':') ? `[${address}]` : address;
  const verdict = await checkUrl(`http://${host}/`, {
    policy: { kind: 'pack', allowlist: network_allowlist },
  });
  return verdict.allowed;
}

export const driver: VectorDriver<Vector> = {
  async run({ patch = [], kept = [] }, { base }) {
    const text = patched(String(base), patch);
    for (const { of, address = '', value } of kept) {
      if (of === 'egress') expect(`${address} ${await reaches(text, address)}`).toBe(`${address} ${value}`);
    }
  },
};
