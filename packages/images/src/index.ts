export { ImageError } from './image-error.js';
export { type ImageReference, parseReference, pinned } from './names/reference.js';
export { type DaemonImage, forDaemon } from './sources/daemon-archive.js';
export { LayoutSource } from './sources/layout.js';
export { pinImage } from './sources/pin-image.js';
export { type RegistryCredential, RegistrySource } from './sources/registry.js';
export type { ImageSource } from './sources/source.js';
export {
  type ImageProgress,
  ImageStore,
  type ListedImage,
  type PrepareOptions,
  type StoredImage,
} from './store/image-store.js';
