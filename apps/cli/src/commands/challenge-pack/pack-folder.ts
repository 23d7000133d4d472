import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** What can be known of the files beside a pack; nothing for standard input. */
export function surroundingsOf(file: string): { fileExists?: (asset: string) => boolean } {
  if (file === '-') return {};
  const folder = path.dirname(path.resolve(file));
  return { fileExists: (asset) => findBeside(folder, asset) !== undefined };
}

/** The real path of a file in the pack's folder. What a link puts outside of it is not there. */
function findBeside(folder: string, asset: string): string | undefined {
  try {
    const real = realpathSync(path.join(folder, asset));
    const inside = path.relative(realpathSync(folder), real);
    const isInside = inside !== '' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside);
    return isInside && statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}
