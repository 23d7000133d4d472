// `node infra/release/publish.mjs <archive> [option of npm publish…]`: publishes the archive of an npm package. A version that is
// published already with the same content is left as it is, so that a job of a release can be run again; with other
// content it is an error, since a version never changes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isPrerelease, PRERELEASE_TAG } from './prerelease.mjs';

const EXIT_USAGE = 64;
const MANIFEST_BYTES_MAX = 16 * 1024 * 1024;

const [archive, ...options] = process.argv.slice(2);
if (archive === undefined) {
  console.error('usage: node infra/release/publish.mjs <archive> [option of npm publish…]');
  process.exit(EXIT_USAGE);
}
try {
  publish(archive, options);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function publish(file, given) {
  const { name, version } = JSON.parse(output('tar', ['-xzOf', file, 'package/package.json']));
  const spec = `${name}@${version}`;
  const published = publishedIntegrity(spec);
  if (published === undefined) {
    const tag = isPrerelease(version) ? ['--tag', PRERELEASE_TAG] : [];
    const { status } = spawnSync('npm', ['publish', file, ...tag, ...given], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
    return;
  }
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (published !== integrity) {
    throw new Error(
      `${spec} is published already with other content: ${published}, the archive has ${integrity}. Release a new version.`,
    );
  }
  console.log(`${spec} is published already with the same content`);
}

/** Undefined where the registry has no such version. */
function publishedIntegrity(spec) {
  const { status, stdout, stderr } = spawnSync('npm', ['view', spec, 'dist.integrity', '--json'], {
    encoding: 'utf8',
  });
  if (status === 0) return stdout.trim() === '' ? undefined : JSON.parse(stdout);
  if (/\bE404\b/.test(`${stdout}${stderr}`)) return undefined;
  throw new Error(`npm view ${spec} ended with ${status}: ${stderr || stdout}`);
}

function output(program, words) {
  const { status, stdout, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    maxBuffer: MANIFEST_BYTES_MAX,
  });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
