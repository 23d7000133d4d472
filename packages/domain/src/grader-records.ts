export const REPORT_STATES = [
  /** Its text is kept if it is needed: the first that exists, and the first with metrics. */
  'read',
  'missing',
  /** A signal ended the command: what it left behind is not read. */
  'killed',
  'not_a_file',
  /** It is a link, lies behind one, or lies outside of where it may. */
  'link',
  'too_large',
] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** A report file as the verifier found it. */
export interface CollectedReport {
  path: string;
  format: string;
  state: ReportState;
  text?: string;
}

/** The end of a test command, with what it left. */
export interface CodeExecuted {
  validator_key: string;
  /** The phase of the conversation that it grades; absent: the attempt. */
  phase_id?: string;
  command: string;
  exit_code: number | null;
  timed_out: boolean;
  stdout_tail: string;
  stderr_tail: string;
  /** Text of the report file; null when there is none. */
  report?: string | null;
  /** The reports of a run that has several or names their formats, in the order of the pack. */
  reports?: CollectedReport[];
  duration_ms: number;
  /** The part of the duration that the time limit excludes: ready to run, without CPU. */
  starved_ms?: number;
}

/** The end of a script of the pack, with its reply. */
export interface ScriptExecuted {
  validator_key: string;
  runtime: string;
  exit_code: number | null;
  timed_out: boolean;
  oom: boolean;
  /** The end of the output; the reply, where it is all of it. */
  stdout: string;
  stdout_bytes: number;
  stderr_tail: string;
  /** The script was not run: its input is larger than allowed. */
  evidence_too_large?: true;
  duration_ms: number;
  starved_ms?: number;
}
