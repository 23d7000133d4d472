/** Drives the product's own functions with the conformance vectors of one format. */
export interface VectorDriver<V extends { id: string } = { id: string }> {
  /** Throws (or rejects) where the product disagrees with the vector. `document` is the whole file. */
  run(vector: V, document: Readonly<Record<string, unknown>>): void | Promise<void>;
  /** Closes what the vectors run so far have opened. */
  close?(): Promise<void>;
}
