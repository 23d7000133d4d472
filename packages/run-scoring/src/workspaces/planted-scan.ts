import { StringDecoder } from 'node:string_decoder';
import { type PlantedValue, plantedValueForms } from '@agentclash/grading';
import { TarEntries, type TarEntry } from './tar-entries.js';

/** A file of a workspace that holds a planted value; `text` is the value as the file spells it. */
export interface WorkspaceFile {
  readonly path: string;
  readonly text: string;
}

export interface ScanLimits {
  bytesMax: number;
  entriesMax: number;
}

/** As far as an attempt's verdict needs to know: one file beside that of the planting would do. */
const FILES_PER_VALUE_MAX = 8;

/** Why a part of a workspace is not searched, where an agent can bring that about. */
export type HiddenReason = 'too_large' | 'too_many' | 'too_deep';

/** A workspace beyond what is searched. */
export class WorkspaceTooLarge extends Error {
  override readonly name = 'WorkspaceTooLarge';

  constructor(readonly reason: HiddenReason) {
    super(`the workspace is ${reason}`);
  }
}

/** Searches a snapshot, chunk by chunk, for planted values in contents, names and link targets. */
export class PlantedScan {
  private readonly forms: ReturnType<typeof plantedValueForms>;
  private readonly found = new Map<number, WorkspaceFile[]>();
  private readonly tar = new TarEntries({
    entry: (entry) => this.enter(entry),
    content: (bytes) => this.read(bytes),
  });
  private current: { path: string; carry: string; decoder: StringDecoder } | undefined;
  private bytes = 0;
  private entries = 0;

  constructor(
    values: readonly PlantedValue[],
    private readonly limits: ScanLimits,
  ) {
    this.forms = plantedValueForms(values);
  }

  /** Fails with `WorkspaceTooLarge` or `TarError`. */
  push(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (this.bytes > this.limits.bytesMax) throw new WorkspaceTooLarge('too_large');
    this.tar.push(chunk);
  }

  /** Fails with `TarError` when the snapshot is not whole. */
  end(): WorkspaceFile[] {
    this.tar.end();
    return [...this.found.values()].flat();
  }

  private enter({ path, link, kind }: TarEntry): void {
    this.entries += 1;
    if (this.entries > this.limits.entriesMax) throw new WorkspaceTooLarge('too_many');
    this.search(path, path);
    if (kind === 'symbolic_link') this.search(path, link);
    if (kind === 'hard_link') this.copyFindings(link, path);
    this.current = kind === 'file' ? { path, carry: '', decoder: new StringDecoder('utf8') } : undefined;
  }

  private read(bytes: Uint8Array): void {
    if (this.current === undefined) return;
    const { path, carry, decoder } = this.current;
    const text = carry + decoder.write(Buffer.from(bytes));
    this.search(path, text);
    this.current.carry = this.forms.lengthMax < text.length ? text.slice(-this.forms.lengthMax) : text;
  }

  private search(path: string, text: string): void {
    if (!this.forms.any.test(text)) return;
    for (const [index, pattern] of this.forms.each.entries()) {
      const held = pattern.exec(text)?.[0];
      if (held !== undefined) this.add(index, { path, text: held });
    }
  }

  /** A finding in a file is one in its other names as well. */
  private copyFindings(from: string, path: string): void {
    for (const [index, files] of this.found) {
      const same = files.find((file) => file.path === from);
      if (same !== undefined) this.add(index, { path, text: same.text });
    }
  }

  private add(index: number, file: WorkspaceFile): void {
    const files = this.found.get(index) ?? [];
    if (files.length >= FILES_PER_VALUE_MAX || files.some(({ path }) => path === file.path)) return;
    this.found.set(index, [...files, file]);
  }
}
