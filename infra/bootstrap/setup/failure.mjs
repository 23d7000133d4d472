/** `EX_UNAVAILABLE` of sysexits.h: something this machine lacks, which a person has to add. */
export const EXIT_UNAVAILABLE = 69;

/** The set-up cannot continue: `message` describes the problem, `hint` how to solve it. */
export class SetupFailure extends Error {
  constructor(message, { hint, exitCode = 1 } = {}) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** Prints what happened and what to do; returns the exit code. Anything but a SetupFailure is a bug and keeps its stack. */
export function explain(error) {
  if (!(error instanceof SetupFailure)) {
    console.error(error);
    return 1;
  }
  console.error(`\n✗ ${error.message}`);
  if (error.hint) console.error(`\n${error.hint}\n`);
  return error.exitCode;
}
