import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { repository } from '../repository.js';
import { describeUnless } from '../requirements.js';

const DOCS = path.join(repository, 'docs');
const COMMAND = /^docker buildx \w+ --file infra\/docker\/docker-bake\.json .*$/gm;

/** The commands of the docs that build images, but for those that end in dots. */
const commands = readdirSync(DOCS)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => readFileSync(path.join(DOCS, name), 'utf8').match(COMMAND) ?? [])
  .filter((command) => !command.endsWith('...'));

/** Why this machine cannot read the commands; undefined where it can. */
function withoutBuildx(): string | undefined {
  const missing = ['buildx', 'compose'].filter((name) => spawnSync('docker', [name, 'version']).status !== 0);
  return missing.length === 0 ? undefined : `docker has no plugin ${missing.join(' and ')}`;
}

// Debian 13's buildx 0.13 ends with a panic at `--set '*.attest='`.
describeUnless(withoutBuildx(), 'the documented builds of images', () => {
  test.each(commands)('buildx reads the command as one platform without attestations: %s', (command) => {
    const script = `${command} --print`;
    const printed = execFileSync('sh', ['-c', script], { cwd: repository, encoding: 'utf8', stdio: 'pipe' });
    const { target } = JSON.parse(printed) as { target: Record<string, BuildTarget> };
    for (const { attest = [], platforms, output, tags } of Object.values(target)) {
      expect(attest.filter((each) => !each.endsWith(',disabled=true'))).toEqual([]);
      expect({ platforms, output }).toEqual({ platforms: ['linux/amd64'], output: ['type=docker'] });
      expect(tags).toHaveLength(1);
    }
  });

  test('The image of the whole product gets the name that compose.yaml has.', () => {
    expect(commands).toContainEqual(expect.stringMatching(/ all-in-one .*compose\.yaml config --images/));
  });
});

interface BuildTarget {
  attest?: string[];
  platforms: string[];
  output: string[];
  tags: string[];
}
