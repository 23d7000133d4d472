import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import type { Session } from '../../session.js';
import { oneLine } from '../../terminal/printable.js';
import { type Check, checkNode, checkSandbox, checkServer, checkSettings, checkToken } from './checks.js';
import { checkStackPrograms } from './stack-programs.js';

/** Checks what a race needs, one line each; ends with the code of the first problem. */
export async function doctor(session: Session): Promise<ExitCode> {
  const { out } = session;
  const { paint } = out;
  const checks: Check[] = [];
  for (const check of [checkNode, checkSettings, checkServer, checkToken, checkStackPrograms, checkSandbox]) {
    for (const found of await check(session)) {
      checks.push(found);
      const mark = {
        ok: paint.green('ok     '),
        weak: paint.yellow('weak   '),
        problem: paint.red('problem'),
      };
      out.line(`${mark[found.state]}  ${found.what.padEnd(12)}  ${oneLine(found.detail)}`);
      if (found.fix !== undefined) out.line(`${' '.repeat(23)}${paint.dim(oneLine(found.fix))}`);
    }
  }
  out.document({ checks });
  return EXIT_CODES[checks.find(({ state }) => state === 'problem')?.exit ?? 'ok'];
}
