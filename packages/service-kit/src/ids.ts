import { v7 } from 'uuid';

/** A UUIDv7: sorts by its creation time. */
export function newId(): string {
  return v7();
}
