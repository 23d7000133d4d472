// `node notes.mjs vX.Y.Z [file]`: writes the notes of a release, the section of its version in CHANGELOG.md. It fails where
// the tag, package.json and the changelog disagree, so that no release has another version than its sources.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const EXIT_USAGE = 64;
const TAG = /^v\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

/** The notes of a tag, from the texts of both files. */
export function releaseNotes(tag, { manifest, changelog }) {
  if (!TAG.test(tag)) throw new Error(`${tag} is not a tag of a release: write it as v1.2.3`);
  const version = tag.slice(1);
  const { version: declared } = JSON.parse(manifest);
  if (declared !== version) {
    throw new Error(`the tag is ${tag}, and package.json has version ${declared}: set it to ${version}`);
  }
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => each.startsWith(`[${version}]`));
  const [heading = '', ...lines] = section?.split('\n') ?? [];
  if (section === undefined) {
    throw new Error(`CHANGELOG.md has no section [${version}]: move the lines of [Unreleased] below it`);
  }
  if (!/^\[[^\]]+\] - \d{4}-\d{2}-\d{2}$/.test(heading)) {
    throw new Error(`CHANGELOG.md: the heading "## ${heading}" needs the day: ## [${version}] - YYYY-MM-DD`);
  }
  const notes = lines.join('\n').trim();
  if (notes === '') throw new Error(`CHANGELOG.md: the section [${version}] is empty`);
  return `${notes}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = path.resolve(import.meta.dirname, '../..');
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const [tag, file] = process.argv.slice(2);
  if (tag === undefined) {
    console.error('usage: node infra/release/notes.mjs vX.Y.Z [file]');
    process.exit(EXIT_USAGE);
  }
  try {
    const notes = releaseNotes(tag, { manifest: read('package.json'), changelog: read('CHANGELOG.md') });
    if (file === undefined) process.stdout.write(notes);
    else writeFileSync(file, notes);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
