import { CommandError } from '../../command-error.js';
import { environment } from '../../config.js';

type SandboxProvider = import('@agentclash/sandbox').SandboxProvider;

/** Runs work with the sandboxes that the environment configures, as an executor opens them, and closes them after it. */
export async function withSandboxes<T>(
  purpose: string,
  work: (sandboxes: SandboxProvider) => Promise<T>,
): Promise<T> {
  const { SandboxEnvironment, isSandboxError, operatorEgress } = await import('@agentclash/sandbox');
  const given = Object.entries(environment.operator).filter(([, value]) => value !== '');
  const parsed = SandboxEnvironment.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const choices = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new CommandError('usage', 'The settings of the sandbox are not valid', { choices });
  }
  const egress = await operatorEgress(environment.operator).catch((error: unknown) => {
    throw new CommandError('usage', error instanceof Error ? error.message : String(error), { cause: error });
  });
  const opened = await parsed.data.sandbox
    .open({ egress, owner: `${purpose}-${process.pid}` })
    .catch((error: unknown) => {
      const { message, cause } = error instanceof Error ? error : new Error(String(error));
      const detail = cause instanceof Error ? `: ${cause.message}` : '';
      const fix = isSandboxError(error) ? error.fix : undefined;
      throw new CommandError('unavailable', `No sandbox can run: ${message}${detail}`, {
        hint: fix ?? 'agentclash doctor shows what is missing.',
        cause: error,
      });
    });
  try {
    return await work(opened.provider);
  } finally {
    await opened.provider.close();
  }
}
