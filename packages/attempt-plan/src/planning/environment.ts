import path from 'node:path';
import type { CaseSandbox, Filesystem, SandboxPolicy } from '@agentclash/challengepack';
import type { PlannedFilesystem, PlannedImage, PlannedSandbox } from '../plan.js';
import { type ResourceSources, resolveResources } from './limits.js';

const WORKSPACE = '/workspace';

/**
 * Directories of an attempt, all absolute: relative ones lie below `/workspace`; roots default to the working
 * directory.
 */
export function plannedFilesystem(filesystem: Filesystem = {}): PlannedFilesystem {
  const absolute = (directory: string) => path.posix.resolve(WORKSPACE, directory);
  const working_directory = absolute(filesystem.working_directory ?? WORKSPACE);
  const roots = (given: string[] | undefined) =>
    given && given.length > 0 ? given.map(absolute) : [working_directory];
  return {
    working_directory,
    readable_roots: roots(filesystem.readable_roots),
    writable_roots: roots(filesystem.writable_roots),
  };
}

/** The sandbox of an attempt: as pack and case require, in the size that profile, pack and case set. */
export function plannedSandbox(
  sandbox: SandboxPolicy = {},
  {
    own = {},
    image,
    ...sizes
  }: Omit<ResourceSources, 'own'> & {
    own?: CaseSandbox | undefined;
    image?: PlannedImage | undefined;
  } = {},
): PlannedSandbox {
  const { network_access = false, network_allowlist = [], env_vars = {} } = sandbox;
  return {
    network_access: network_access && own.network_access !== false,
    network_allowlist,
    env_vars: { ...env_vars, ...own.env_vars },
    ...(image ? { image, additional_packages: [] } : fromTemplate(sandbox)),
    resources: resolveResources({ ...sizes, own }),
  };
}

/** The sandbox of a case with what its challenge sets for it. */
export function ownSandbox(challenge: CaseSandbox = {}, each: CaseSandbox = {}): CaseSandbox {
  const env_vars = { ...challenge.env_vars, ...each.env_vars };
  return { ...challenge, ...each, ...(Object.keys(env_vars).length > 0 && { env_vars }) };
}

function fromTemplate({
  additional_packages = [],
  sandbox_template_id,
}: SandboxPolicy): Pick<PlannedSandbox, 'additional_packages' | 'sandbox_template_id'> {
  return { additional_packages, ...(sandbox_template_id !== undefined && { sandbox_template_id }) };
}
