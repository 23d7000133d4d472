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
