/**
 * The only error of this package. `invalid_image`: trying again cannot help; `unavailable`: it may. Messages name
 * references, layers and entries, and no credential.
 */
export class ImageError extends Error {
  override readonly name = 'ImageError';
  readonly fix: string | undefined;

  constructor(
    readonly code: 'invalid_image' | 'unavailable',
    message: string,
    { fix, cause }: { fix?: string; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.fix = fix;
  }
}

export function invalidImage(message: string, fix?: string): ImageError {
  return new ImageError('invalid_image', message, fix === undefined ? {} : { fix });
}

/** An error of the disk or of a tool, in the words of this package. */
export function asStoreError(error: unknown, of: string): unknown {
  if (error instanceof ImageError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const fix = 'free space where images are kept, or keep fewer of them';
    return new ImageError('unavailable', `there is no space left for ${of}`, { fix, cause: error });
  }
  return new ImageError('unavailable', `${of} could not be unpacked`, { cause: error });
}
