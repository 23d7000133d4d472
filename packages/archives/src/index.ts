export { openZip, ZIP_LIMITS, type ZipArchive, ZipError, type ZipLimits } from './read-zip.js';
export { type ZipEntry, zipBytes } from './write-zip.js';
