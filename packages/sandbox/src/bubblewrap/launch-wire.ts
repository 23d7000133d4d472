/** The protocol with the launcher; its other half is `native/launcher_serve.c`. All integers are u32. */

/** A launched process has started, or how it ended. */
export interface LaunchReport {
  /** Which one; 0: the launcher takes connections. */
  number: number;
  /** As `waitpid` has it, or `LAUNCH_STARTED`, when `stderr` is the process id. */
  status: number;
  stderr: string;
}

/** `LAUNCH_STARTED` in `native/launcher.h`. */
export const LAUNCH_STARTED = 0xffff_ffff;

const REPORT_HEADER_BYTES = 12;
const NOTHING = Buffer.alloc(0);

/** The beginning of a connection: who is launched, and the arguments of the launcher. */
export function encodeLaunch(number: number, args: readonly string[]): Buffer {
  const text = Buffer.from(`${args.join('\0')}\0`);
  const header = Buffer.alloc(8);
  header.writeUInt32LE(text.length, 0);
  header.writeUInt32LE(number, 4);
  return Buffer.concat([header, text]);
}

/** Bytes in, reports out, however they are cut. */
export class ReportDecoder {
  #pending: Buffer = NOTHING;

  push(chunk: Buffer): LaunchReport[] {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const reports: LaunchReport[] = [];
    let at = 0;
    while (bytes.length - at >= REPORT_HEADER_BYTES) {
      const textAt = at + REPORT_HEADER_BYTES;
      const end = textAt + bytes.readUInt32LE(at);
      if (end > bytes.length) break;
      reports.push({
        number: bytes.readUInt32LE(at + 4),
        status: bytes.readUInt32LE(at + 8),
        stderr: bytes.toString('utf8', textAt, end),
      });
      at = end;
    }
    this.#pending = bytes.subarray(at);
    return reports;
  }
}
