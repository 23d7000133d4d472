/**
 * Files of a sandbox. A path is resolved inside it, following links as its kernel does, and opened in the same
 * step; the object reached must lie in one of the roots, component-wise. Outside them every call fails with
 * `not_permitted`, whether or not something exists. Other errors: `invalid_path`, `not_found`, `is_directory`,
 * `not_directory`, `not_regular_file`, `symlink_loop`, `too_large`, `no_space`.
 */
export interface FileStore {
  readFile(path: string, options?: ReadOptions): Promise<FileContent>;
  /** Creates or overwrites a regular file. */
  writeFile(path: string, data: string | Uint8Array, options?: WriteOptions): Promise<FileWritten>;
  /** Lists a directory; anything else is `not_directory`. */
  list(prefix: string, options?: ListOptions): Promise<FileListing>;
  /** Describes what the path leads to (links followed). */
  stat(path: string, options?: FileScope): Promise<FileStat>;
  /** Removes a file, link or tree; links are not followed at the end of the path. Absent is fine. */
  remove(path: string, options?: FileScope): Promise<void>;
  /** A tar stream of the workspace. Content never makes it fail: what cannot be taken is listed as omitted. */
  snapshot(options?: { bytesMax?: number }): Snapshot;
  /** Unpacks a snapshot into the workspace. Set-id bits are dropped; entries outside the workspace are omitted. */
  restore(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotReport>;
}

export interface FileScope {
  /** Where relative paths start; default: the working directory. */
  cwd?: string;
  /** Default: the readable roots of the spec, for writing the writable ones. */
  roots?: readonly string[];
}

export interface ReadOptions extends FileScope {
  offset?: number;
  /** At most this many bytes from `offset`; a longer file is no error then. */
  length?: number;
  /** More than this to return is `too_large`. Default and maximum 64 MiB. */
  bytesMax?: number;
}

export interface FileContent {
  /** Absolute, without links. */
  path: string;
  /** Size of the whole file. */
  bytes: number;
  data: Buffer;
}

export interface WriteOptions extends FileScope {
  /** Creates missing directories. Default true. */
  makeParents?: boolean;
  /** Permission bits of a new file; default 0o644. */
  mode?: number;
}

export interface FileWritten {
  path: string;
  bytes: number;
}

export interface ListOptions extends FileScope {
  /** Default true. Links to directories are listed, not entered. */
  recursive?: boolean;
  /** Directory names that are neither entered nor listed, at any depth. */
  skip?: readonly string[];
  /** Default: all. */
  kinds?: readonly FileKind[];
  /** The first so many in path order; `truncated` is set when there are more. Default 10,000. */
  entriesMax?: number;
}

export type FileKind = 'file' | 'directory' | 'symlink' | 'other';

export interface FileListing {
  /** The listed directory (or single file), absolute, without links. */
  path: string;
  /** Sorted by path, bytewise. */
  entries: FileEntry[];
  truncated: boolean;
}

export interface FileEntry {
  /** Relative to the listed directory; the base name when a file was listed. */
  path: string;
  kind: FileKind;
  bytes: number;
}

export interface FileStat {
  path: string;
  kind: FileKind;
  bytes: number;
  /** Permission bits, such as 0o644. */
  mode: number;
  modifiedAtMs: number;
}

export interface Snapshot {
  /** To be read once; reading drives the stream. */
  chunks: AsyncIterable<Uint8Array>;
  /** Settles when `chunks` has ended. */
  report: Promise<SnapshotReport>;
}

export interface SnapshotReport {
  entries: number;
  /** Content bytes of regular files. */
  bytes: number;
  /** The first of each reason. */
  omitted: { path: string; reason: string }[];
  /** All omissions of a snapshot taken, also those that are not listed; of one restored 0. */
  omittedCount: number;
}
