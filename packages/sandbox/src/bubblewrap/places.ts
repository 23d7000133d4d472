import { SandboxError } from '../sandbox-error.js';

/** Does what makes directories; says which setting names another place when this one cannot be written. */
export async function placed<T>(variable: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall !== 'mkdir') throw cause;
    throw new SandboxError('unavailable', 'sandboxes have no place for their files', {
      cause,
      fix: `name a directory that this user may write in ${variable}`,
    });
  }
}
