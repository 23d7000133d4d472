/** The byte stream to the process inside a sandbox. Each provider brings its own. */
export interface InsideLink {
  send(bytes: Buffer): void;
  onBytes(listener: (bytes: Buffer) => void): void;
  /** Ends the sandbox at once, whatever its processes do. */
  kill(): void;
}
