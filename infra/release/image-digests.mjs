// `node image-digests.mjs <file>`: of each image in the metadata that buildx wrote, a line `name@sha256:…`,
// by which it is signed: a tag can be moved, a digest cannot.
import { readFileSync } from 'node:fs';

const EXIT_USAGE = 64;
const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node infra/release/image-digests.mjs <file>');
  process.exit(EXIT_USAGE);
}
const metadata = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
const built = metadata.filter(([, value]) => typeof value?.['containerimage.digest'] === 'string');
const lines = built.flatMap(([, value]) =>
  value['image.name']
    .split(',')
    .map((name) => `${name.replace(/:[^/:]*$/, '')}@${value['containerimage.digest']}`),
);
if (lines.length === 0) {
  console.error(`${file} has no digest of an image: were they pushed?`);
  process.exit(1);
}
console.log([...new Set(lines)].join('\n'));
