import type { z } from 'zod';
import { OPENERS, type OpenedSandboxes, type OpenOptions } from './openers.js';
import { NEEDED, type ProviderName, Variables } from './variables.js';

/** The provider an operator has chosen. Holds no credential that could be printed. */
export interface SandboxChoice {
  provider: ProviderName;
  /** Opens it and sees that it works. Throws `unavailable`, with what to do, when it does not. */
  open(options?: OpenOptions): Promise<OpenedSandboxes>;
}

/** The variables that choose and configure the provider, as `sandbox`. */
export const SandboxEnvironment = Variables.transform((given, context): { sandbox: SandboxChoice } => {
  const provider = given.SANDBOX_PROVIDER;
  for (const variable of NEEDED[provider].filter((name) => given[name] === undefined)) {
    const message = `must be set for SANDBOX_PROVIDER=${provider}`;
    context.addIssue({ code: 'custom', path: [variable], message });
  }
  return { sandbox: { provider, open: (options = {}) => OPENERS[provider](given, options) } };
}) satisfies z.ZodType<{ sandbox: SandboxChoice }>;
