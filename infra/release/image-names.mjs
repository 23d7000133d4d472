// `node image-names.mjs <registry> <file>`: an input of buildx beside docker-bake.json that gives each image
// its name in a registry.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const EXIT_USAGE = 64;
const [registry, file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node infra/release/image-names.mjs <registry> <file>');
  process.exit(EXIT_USAGE);
}
const builds = path.resolve(import.meta.dirname, '../docker/docker-bake.json');
const { target } = JSON.parse(readFileSync(builds, 'utf8'));
const named = Object.entries(target).flatMap(([name, { tags = [] }]) =>
  tags.length === 0 ? [] : [[name, { tags: tags.map((tag) => `${registry}/${tag}`) }]],
);
writeFileSync(file, `${JSON.stringify({ target: Object.fromEntries(named) }, null, 2)}\n`);
