// `node infra/release/prerelease.mjs npm|github vX.Y.Z`: prints the option with which `npm publish` and `pnpm publish`, or
// `gh release create`, publish the version of a tag. One such as v1.2.0-rc.1 is no version that `npm install` installs unless
// it is named, nor the latest release.
import { pathToFileURL } from 'node:url';

const EXIT_USAGE = 64;
/** Build metadata after `+` may have a hyphen, and makes no prerelease. */
const PRERELEASE = /^v?\d+\.\d+\.\d+-/;

/** The name in the registry under which a prerelease is installed: `npm install agentclash@next`. */
export const PRERELEASE_TAG = 'next';

export function isPrerelease(version) {
  return PRERELEASE.test(version);
}

const OPTIONS = {
  npm: (version) => `--tag=${isPrerelease(version) ? PRERELEASE_TAG : 'latest'}`,
  github: (version) => `--prerelease=${isPrerelease(version)}`,
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [target, version] = process.argv.slice(2);
  if (!Object.hasOwn(OPTIONS, target ?? '') || version === undefined) {
    console.error('usage: node infra/release/prerelease.mjs npm|github vX.Y.Z');
    process.exit(EXIT_USAGE);
  }
  console.log(OPTIONS[target](version));
}
