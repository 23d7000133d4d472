/** Facts of an image that is ready to be the root of a sandbox. */
export interface PreparedImage {
  /** As it was requested. */
  reference: string;
  /** Digest of the manifest for this platform. */
  digest: string;
  /** The environment of the image's configuration. */
  env: Readonly<Record<string, string>>;
  /** Of the image's configuration. */
  workingDirectory?: string;
  /** Of its unpacked layers; absent where the provider cannot know. */
  bytes?: number;
}

export interface PrepareOptions {
  signal?: AbortSignal;
  onProgress?: (progress: ImageProgress) => void;
}

export interface ImageProgress {
  phase: 'pull' | 'unpack' | 'build';
  doneBytes?: number;
  totalBytes?: number;
  /** A line of the build's output. */
  line?: string;
}

/** A Dockerfile and the files it may copy. */
export interface ImageBuild {
  /** The build runs once per key: a digest of the Dockerfile and of all files. */
  key: string;
  /** A directory of the host. */
  context: string;
  /** Path of the Dockerfile in `context`. */
  dockerfile: string;
  /** From the start to the forced end, in milliseconds. */
  timeoutMs: number;
  /** Default: none. `host`: what the operator allows of that of the host. */
  network?: 'none' | 'host';
}
