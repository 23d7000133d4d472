import type { SandboxCapabilities } from './contract.js';
import { SandboxError } from './sandbox-error.js';
import type { SandboxSpec } from './spec.js';

type Needs = Pick<SandboxSpec, 'network' | 'template' | 'packages' | 'directories' | 'image'>;

/** The needs of a spec that the provider lacks, as texts for a problem report. Empty: it can be created. */
export function missingCapabilities(spec: Needs, capabilities: SandboxCapabilities): string[] {
  const missing: string[] = [];
  if (spec.template !== undefined && !capabilities.templates.includes(spec.template)) {
    missing.push(`template ${spec.template}`);
  }
  if ((spec.packages?.length ?? 0) > 0 && !capabilities.packages) missing.push('packages');
  if (spec.image !== undefined && !capabilities.images) missing.push('images');
  if (spec.image?.runAsRoot && !capabilities.rootInImages) missing.push('rootInImages');
  if ((spec.directories?.length ?? 0) > 0 && !capabilities.hostDirectories) missing.push('hostDirectories');
  if (spec.network?.kind === 'proxied' && !capabilities.egressProxy) missing.push('egressProxy');
  return missing;
}

/** Throws `unsupported` rather than weaken a spec. */
export function refuseUnsupported(spec: Needs, capabilities: SandboxCapabilities): void {
  const [capability] = missingCapabilities(spec, capabilities);
  if (capability === undefined) return;
  throw new SandboxError('unsupported', `this sandbox provider has no ${capability}`, { capability });
}
