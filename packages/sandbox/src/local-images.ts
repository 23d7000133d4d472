import type { PrepareOptions } from './image.js';

/** One line of a listing. */
interface LocalImage {
  /** By which a pack may name it. */
  reference: string;
  digest: string;
  /** Others that it has. */
  names: string[];
  bytes: number;
  unusedMs: number;
}

/** The images of packs where the sandboxes of an executor of this machine run. */
export interface LocalImages {
  /** Takes all images of an archive or of a layout directory; their references. */
  load(file: string, options?: PrepareOptions): Promise<string[]>;
  /** Pulls an image; its reference is by its digest. */
  pull(reference: string, options?: PrepareOptions): Promise<{ reference: string; bytes: number }>;
  list(): Promise<LocalImage[]>;
  /** False where there is none. */
  remove(reference: string): Promise<boolean>;
  close(): void;
}
