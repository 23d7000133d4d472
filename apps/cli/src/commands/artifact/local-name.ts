import type { Artifact } from '@agentclash/api';

/**
 * Where an artifact is put if nobody says. Its name is somebody's text: only the last part may choose a place here, and
 * one that names a folder, or is hidden, gives way to the id.
 */
export function localName({ id, name }: Pick<Artifact, 'id' | 'name'>): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  return last === '' || last === '-' || last.startsWith('.') || /\p{Cc}/u.test(last) ? id : last;
}
