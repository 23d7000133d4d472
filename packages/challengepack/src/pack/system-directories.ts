/** Directories that every sandbox shows read-only, unless an image of its own is its root. */
const SHOWN = ['/usr', '/bin', '/sbin', '/lib', '/etc'];
/** Directories of the kernel, which every sandbox mounts over those of an image and of which it keeps nothing. */
const OF_KERNEL = ['/proc', '/sys', '/dev'];

/** The directory of the system that holds a path and that no kind of sandbox can make writable; undefined for others. */
export function systemDirectoryOf(path: string, { hasImage }: { hasImage: boolean }): string | undefined {
  const directories = hasImage ? OF_KERNEL : [...OF_KERNEL, ...SHOWN];
  return directories.find((directory) => path === directory || path.startsWith(`${directory}/`));
}
