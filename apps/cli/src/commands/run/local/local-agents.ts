import { createHash } from 'node:crypto';
import { providerKeyOf } from '@agentclash/domain';
import { StoredResources, unknownNames } from '../../../deployment-file/plan.js';
import { afterTheirDelegates, toolProblems } from '../../../deployment-file/tools.js';
import type { Written } from '../../../resources/kind.js';
import type { KindName } from '../../../resources/kind-names.js';
import type { Session } from '../../../session/session.js';
import { ResourceApplier, type ResourceTarget } from '../../resource/apply-all.js';
import { readWithFiles, refuse } from '../../resource/create.js';

type LocalAgents = import('@agentclash/local-run').LocalAgents;
type Lists = { [Kind in KindName]: object[] };

/** The agents of a deployment file, whose problems are printed; undefined where it has any. */
export async function readLocalAgents(session: Session, name: string): Promise<LocalAgents | undefined> {
  const { file, contents, problems } = await readWithFiles(name, 'deployment');
  problems.push(...unknownNames(file, new StoredResources()));
  if (problems.length === 0) problems.push(...toolProblems(file, []));
  if (problems.length > 0) {
    refuse(session, { name, file }, problems);
    return undefined;
  }
  const { uuidOf } = await import('@agentclash/local-run');
  const target = new InMemory(uuidOf);
  const applier = new ResourceApplier(target, new StoredResources(), contents);
  for (const entry of afterTheirDelegates(file.entries)) await applier.apply(entry);
  return target.agents;
}

/** Resources of one file, as a server stores them. */
class InMemory implements ResourceTarget {
  private readonly lists: Lists = {
    ...{ provider_account: [], model_alias: [], runtime_profile: [] },
    ...{ tool: [], gate_policy: [], deployment: [] },
  };
  private readonly files = new Map<string, Uint8Array>();

  constructor(private readonly uuidOf: (text: string) => string) {}

  get agents(): LocalAgents {
    const { provider_account, model_alias, runtime_profile, tool, deployment } = this.lists;
    // By its kind, each was checked by the schema that a server checks it by.
    return {
      accounts: provider_account,
      aliases: model_alias,
      profiles: runtime_profile,
      tools: tool,
      deployments: deployment,
      files: this.files,
    } as LocalAgents;
  }

  async apply(kind: KindName, body: unknown): Promise<Written> {
    const { name, ...members } = body as { name: string };
    const id = this.uuidOf(`${kind}:${name}:${JSON.stringify(members)}`);
    const now = new Date().toISOString();
    const stored = { id, name, ...members, created_at: now, updated_at: now };
    this.lists[kind].push(asStored(kind, stored));
    return { id, name, applied: 'created' };
  }

  async upload(bytes: Uint8Array): Promise<string> {
    const id = this.uuidOf(createHash('sha256').update(bytes).digest('hex'));
    this.files.set(id, bytes);
    return id;
  }
}

function asStored(kind: KindName, stored: object & { provider_key?: unknown; id: string }): object {
  if (kind === 'deployment') return { ...DEPLOYMENT, ...stored };
  if (kind !== 'provider_account') return stored;
  return { ...stored, provider_key: providerKeyOf(String(stored.provider_key)) };
}

const DEPLOYMENT = { revision: 1, runtime_profile_id: null, status: 'active' } as const;
