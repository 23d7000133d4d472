import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import xterm from '@xterm/headless';
import { environment } from '../config.js';
import { type CommandOptions, emptyFolder, PROGRAM } from './command.js';

const PTY = path.resolve(import.meta.dirname, 'pty.py');
const SCROLLBACK_LINES = 10_000;

export interface TerminalOptions extends Pick<CommandOptions, 'env' | 'cwd'> {
  columns?: number;
  rows?: number;
}

/** A command on a real pseudo-terminal, watched by a terminal emulator: tests see what a person would see. */
export class Terminal {
  /** The output of the command, with all its escapes. */
  raw = '';
  /** The exit code, 128 and the number of a signal. */
  readonly ended: Promise<number | null>;
  private readonly emulator: InstanceType<typeof xterm.Terminal>;

  private constructor(
    private readonly child: ChildProcess,
    { columns, rows }: { columns: number; rows: number },
  ) {
    this.emulator = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: SCROLLBACK_LINES,
      allowProposedApi: true,
    });
    this.emulator.onData((reply) => this.type(reply));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.raw += text;
      this.emulator.write(text);
    });
    this.ended = new Promise((resolve) => {
      // Output from before is shown first.
      child.once('close', (code) => this.emulator.write('', () => resolve(code)));
    });
  }

  /** Starts `agentclash` with these words, and a home of its own. */
  static start(words: readonly string[], options: TerminalOptions = {}): Terminal {
    return Terminal.run([process.execPath, PROGRAM, ...words], options);
  }

  /** Starts any program. */
  static run(program: readonly string[], options: TerminalOptions = {}): Terminal {
    const { columns = 80, rows = 24, env = {}, cwd = emptyFolder() } = options;
    const home = emptyFolder();
    const { PATH = '' } = environment.operator;
    const child = spawn('python3', [PTY, String(columns), String(rows), ...program], {
      cwd,
      env: { PATH, HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), TERM: 'xterm-256color', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    // Input after the end is ignored.
    child.stdin.on('error', () => undefined);
    return new Terminal(child, { columns, rows });
  }

  type(text: string): void {
    this.act({ type: text });
  }

  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows);
    this.act({ resize: [columns, rows] });
  }

  /** The lines on the screen, without those that are empty at its end. */
  screen(): string[] {
    const { baseY } = this.emulator.buffer.active;
    return this.lines(baseY);
  }

  /** Also what has scrolled away. */
  everything(): string {
    return this.lines(0).join('\n');
  }

  get isCursorShown(): boolean {
    return this.raw.lastIndexOf('\u001b[?25h') >= this.raw.lastIndexOf('\u001b[?25l');
  }

  /** Waits until the screen shows it. */
  async shows(text: string | RegExp): Promise<void> {
    await waitFor(
      () => {
        const screen = this.screen().join('\n');
        if (typeof text === 'string' ? screen.includes(text) : text.test(screen)) return true;
        throw new Error(`the screen shows\n${screen}`);
      },
      { timeoutMs: 20_000 },
    );
  }

  /** Ends the command if it has not ended. */
  close(): void {
    this.child.stdin?.end();
  }

  private act(act: object): void {
    this.child.stdin?.write(`${JSON.stringify(act)}\n`);
  }

  private lines(from: number): string[] {
    const { active } = this.emulator.buffer;
    const lines = Array.from(
      { length: active.length - from },
      (_, index) => active.getLine(from + index)?.translateToString(true) ?? '',
    );
    const last = lines.findLastIndex((line) => line !== '');
    return lines.slice(0, last + 1);
  }
}
