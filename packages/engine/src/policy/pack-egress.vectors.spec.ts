import { manifestOf, readPack } from '@agentclash/challengepack';
import { judgeUrl } from '@agentclash/egress';
import { vectorSuite } from '@agentclash/testkit';
import { expect } from '@jest/globals';

interface Vector {
  id: string;
  patch: { path: string; value: unknown }[];
  kept?: { of?: string; address?: string; value?: boolean }[];
}

/** Whether a sandbox of the pack reaches an address through the guarded client. */
async function reaches(text: string, address: string): Promise<boolean> {
  const reading = readPack(text);
  if (!reading.valid) throw new Error(JSON.stringify(reading.problems));
  const { network_access, network_allowlist = [] } = manifestOf(reading.pack).sandbox ?? {};
  if (!network_access) return false;
  const host = address.includes(':') ? `[${address}]` : address;
  const verdict = await judgeUrl(`http://${host}/`, {
    policy: { kind: 'pack', allowlist: network_allowlist },
  });
  return verdict.allowed;
}

vectorSuite<Vector>(
  'challenge-pack.yaml',
  async ({ patch, kept = [] }, { base }) => {
    const blocks = patch.map(
      ({ path, value }) => `  ${path.replace('version.', '')}: ${JSON.stringify(value)}\n`,
    );
    const text = String(base).replace('version:\n', `version:\n${blocks.join('')}`);
    for (const { of, address = '', value } of kept) {
      if (of === 'egress') expect(`${address} ${await reaches(text, address)}`).toBe(`${address} ${value}`);
    }
  },
  {
    select: ({ cases }) => (cases as Vector[]).filter(({ kept }) => kept?.some(({ of }) => of === 'egress')),
  },
);
