import path from 'node:path';
import { type Filesystem, type SandboxPolicy } from '@agentclash/challengepack';
import type { PlannedFilesystem, PlannedSandbox, SandboxResources } from '../plan.js';
import { resolveResources } from './limits.js';

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

/** The sandbox of an attempt: as the pack requires, in the size that profile and pack set. */
export function plannedSandbox(
  sandbox: SandboxPolicy = {},
  sizes: { profile?: Partial<SandboxResources>; workspaceBytes?: number } = {},
): PlannedSandbox {
  const { network_access = false, network_allowlist = [], env_vars = {}, additional_packages = [] } = sandbox;
  return {
    network_access,
    network_allowlist,
    env_vars,
    additional_packages,
    ...(sandbox.sandbox_template_id !== undefined && { sandbox_template_id: sandbox.sandbox_template_id }),
    resources: resolveResources(sizes.profile, sizes.workspaceBytes),
  };
}
