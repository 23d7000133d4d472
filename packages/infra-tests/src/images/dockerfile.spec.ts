import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ACCESS } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { containersOf, workloadsOf } from '../manifests/manifest.js';
import { renderOverlay } from '../manifests/render.js';
import { repository } from '../repository.js';
import { describeWithKubectl } from '../requirements.js';
import { contextFiles } from './build-context.js';
import {
  argumentOf,
  type Dockerfile,
  pairsOf,
  parseDockerfile,
  readBuildTargets,
  readDockerfile,
  type Stage,
} from './dockerfile.js';

const DOCKER = path.join(repository, 'infra/docker');
const targets = readBuildTargets(path.join(DOCKER, 'docker-bake.json'));
const dockerfile = readDockerfile(path.join(DOCKER, 'Dockerfile'));
const context = contextFiles(repository, path.join(DOCKER, 'Dockerfile.dockerignore'));

interface Rule {
  /** The stages or lines that violate the rule. */
  check: (dockerfile: Dockerfile) => string[];
  /** A text of the Dockerfile and what to put instead, which the rule must reject. */
  violation: [text: string, replacement: string];
}

const stagesOfTargets = new Set(Object.values(targets).flatMap(({ target }) => target ?? []));
const imagesOf = ({ stages }: Dockerfile) => stages.filter(({ name }) => stagesOfTargets.has(name));
const stepsOf = (stage: Stage, keyword: string) => stage.steps.filter((step) => step.keyword === keyword);
const servicesOf = (read: Dockerfile) =>
  imagesOf(read).filter((stage) => stepsOf(stage, 'EXPOSE').length > 0);
const namesOf = (stages: readonly Stage[], isViolation: (stage: Stage) => boolean) =>
  stages.filter(isViolation).map(({ name }) => name);

const RULES: Record<string, Rule> = {
  'every image runs as a user with a number above 0': {
    check: (read) =>
      namesOf(
        imagesOf(read),
        (stage) => !/^[1-9]\d*:[1-9]\d*$/.test(stepsOf(stage, 'USER').at(-1)?.text ?? ''),
      ),
    violation: ['USER 65532:65532', 'USER root'],
  },
  'every base image is named by its full version': {
    check: (read) =>
      [...Object.values(read.arguments), ...read.stages.map(({ from }) => from)].filter(
        (image) => /[/:]/.test(image) && !image.startsWith('${') && !/:\d+\.\d+\.\d+-[a-z]+/.test(image),
      ),
    violation: [':24.21.0-bookworm-slim', ':24'],
  },
  'every stage starts from scratch, another stage or the one base image': {
    check: (read) => {
      const known = new Set(['scratch', '${NODE_IMAGE}', ...read.stages.map(({ name }) => name)]);
      return namesOf(read.stages, ({ from }) => !known.has(from));
    },
    violation: ['FROM scratch AS service', 'FROM alpine AS service'],
  },
  'every image has labels with its title, version and revision': {
    check: (read) =>
      namesOf(imagesOf(read), (stage) => {
        const labels = stepsOf(stage, 'LABEL')
          .map(({ text }) => text)
          .join(' ');
        return !['title', 'version', 'revision'].every((key) =>
          labels.includes(`org.opencontainers.image.${key}=`),
        );
      }),
    violation: ['org.opencontainers.image.title', 'title'],
  },
  'only package managers download files': {
    check: (read) =>
      namesOf(
        read.stages,
        (stage) =>
          [
            ...stepsOf(stage, 'ADD'),
            ...stepsOf(stage, 'RUN').filter(({ text }) => /\b(curl|wget|git clone)\b/.test(text)),
          ].length > 0,
      ),
    violation: ['COPY tsconfig.json ./', 'ADD https://example.com/tsconfig.json ./'],
  },
  'packages of Debian are installed only by the script that pins the day of the archive': {
    check: (read) =>
      namesOf(read.stages, (stage) => stepsOf(stage, 'RUN').some(({ text }) => /\bapt(-get)?\b/.test(text))),
    violation: ['RUN sh /opt/distroless.sh', 'RUN apt-get install -y jq; sh'],
  },
  'packages of npm are pinned by the lockfile or by a version': {
    check: (read) =>
      read.stages.flatMap((stage) =>
        stepsOf(stage, 'RUN')
          .filter(({ text }) => !isPinned(text))
          .map(({ line }) => `line ${line}`),
      ),
    violation: ['"turbo@${TURBO_VERSION}"', 'turbo'],
  },
  'commands are in JSON form, so that signals reach the process': {
    check: (read) =>
      namesOf(imagesOf(read), (stage) => {
        const last = stage.steps.findLast(({ keyword }) => keyword === 'CMD' || keyword === 'ENTRYPOINT');
        return last?.json === undefined;
      }),
    violation: ['CMD ["node", "dist/main.js"]', 'CMD node dist/main.js'],
  },
  'every service is stopped by SIGTERM': {
    check: (read) =>
      namesOf(servicesOf(read), (stage) => stepsOf(stage, 'STOPSIGNAL').at(-1)?.text !== 'SIGTERM'),
    violation: ['STOPSIGNAL SIGTERM', 'STOPSIGNAL SIGKILL'],
  },
  'every service runs with NODE_ENV=production': {
    check: (read) =>
      namesOf(servicesOf(read), (stage) => {
        const pairs = stepsOf(stage, 'ENV').flatMap(({ text }) => pairsOf(text));
        return Object.fromEntries(pairs).NODE_ENV !== 'production';
      }),
    violation: ['NODE_ENV=production', 'NODE_ENV=development'],
  },
  'no argument or variable holds a credential': {
    check: (read) =>
      read.stages.flatMap((stage) =>
        [...stepsOf(stage, 'ARG'), ...stepsOf(stage, 'ENV')]
          .filter(({ text }) => /PASSWORD|SECRET|TOKEN|SEED|API_KEY/.test(text))
          .map(({ line }) => `line ${line}`),
      ),
    violation: ['ARG APP', 'ARG NPM_TOKEN'],
  },
  'every file that is copied from the repository is part of the build context': {
    check: (read) =>
      read.stages.flatMap((stage) =>
        stepsOf(stage, 'COPY')
          .filter(({ flags }) => flags.from === undefined)
          .filter(({ text }) => !text.split(/\s+/).slice(0, -1).every(isInContext))
          .map(({ line }) => `line ${line}`),
      ),
    violation: ['COPY infra/docker/distroless.sh', 'COPY infra/docker/pin.mjs'],
  },
};

function isInContext(source: string): boolean {
  const wanted = path.posix.normalize(source).replace(/\/$/, '');
  return wanted === '.' || context.some((file) => file === wanted || file.startsWith(`${wanted}/`));
}

function isPinned(command: string): boolean {
  if (/pnpm install/.test(command)) return /--frozen-lockfile/.test(command);
  const [, programs = ''] = /npm install --global (.*)/.exec(command) ?? [];
  return programs.split(' ').every((program) => program === '' || /@\$\{\w+\}/.test(program));
}

describe('the Dockerfile', () => {
  test.each(Object.keys(RULES))('the Dockerfile satisfies the rule: %s', (name) =>
    expect(RULES[name]?.check(dockerfile)).toEqual([]),
  );

  const text = readFileSync(path.join(DOCKER, 'Dockerfile'), 'utf8');
  test.each(Object.entries(RULES))(
    'the Dockerfile is rejected without the rule: %s',
    (_, { check, violation }) => {
      const [original, replacement] = violation;
      expect(text).toContain(original);
      expect(check(parseDockerfile(text.replaceAll(original, replacement)))).not.toEqual([]);
    },
  );

  test('the Dockerfile installs the versions of pnpm and turbo that the repository pins', () => {
    const { packageManager } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
      packageManager: string;
    };
    const { catalog } = parse(readFileSync(path.join(repository, 'pnpm-workspace.yaml'), 'utf8')) as {
      catalog: Record<string, string>;
    };
    const tools = dockerfile.stages.find(({ name }) => name === 'tools');
    const versions = Object.fromEntries(
      tools ? stepsOf(tools, 'ARG').map(({ text }) => argumentOf(text)) : [],
    );
    expect(`pnpm@${versions.PNPM_VERSION}`).toBe(packageManager);
    expect(`^${versions.TURBO_VERSION}`).toBe(catalog.turbo);
  });

  test('the build context has the sources of the images and no tests, data or secrets', () => {
    expect(context).toEqual(
      expect.arrayContaining(['package.json', 'apps/gateway/src/main.ts', 'tsconfig.json']),
    );
    expect(
      context.filter((file) =>
        /\.(?:int-|e2e-)?spec\.ts$|node_modules|\/dist\/|\.env$|^infra\/k8s/.test(file),
      ),
    ).toEqual([]);
  });
});

describe('the build targets of docker-bake.json', () => {
  const images = Object.entries(targets).filter(([, { target }]) => target !== undefined);

  test.each(images)('the target %s is built from its own app for amd64 and arm64', (name, image) => {
    const { args = {}, platforms, tags = [], target } = image;
    expect(platforms).toEqual(['linux/amd64', 'linux/arm64']);
    if (target === 'service') {
      expect(args.APP).toBe(name);
      expect(tags).toEqual([`agentclash/${name}:${args.VERSION}`]);
      expect(existsSync(path.join(repository, 'apps', name, 'package.json'))).toBe(true);
    }
  });

  test('every service has an image, and the gateway alone contains the web app', () => {
    const services = images.filter(([, { target }]) => target === 'service');
    expect(services.map(([name]) => name).sort()).toEqual(Object.keys(ACCESS).sort());
    expect(services.flatMap(([name, { args }]) => (args?.WITH ? [[name, args.WITH]] : []))).toEqual([
      ['gateway', 'web'],
    ]);
    expect(targets['executor-bubblewrap']?.args?.APP).toBe('sandbox-executor');
  });

  test('every image is published with a list of its packages and its provenance', () => {
    for (const [name, { attest }] of Object.entries(targets)) {
      expect({ name, attest }).toEqual({ name, attest: ['type=sbom', 'type=provenance,mode=max'] });
    }
  });

  describeWithKubectl('with the manifests', () => {
    test('every agentclash image that the overlay prod names is built', () => {
      const tags = Object.values(targets).flatMap(({ tags: own = [] }) => own);
      const manifests = renderOverlay('prod');
      const run = workloadsOf(manifests)
        .flatMap(containersOf)
        .map(({ image }) => image)
        .filter((image) => image.startsWith('agentclash/'));
      const inPods = manifests
        .flatMap(({ data }) => Object.values((data ?? {}) as Record<string, string>))
        .filter((value) => /^agentclash\/[\w-]+:/.test(value));
      expect(inPods.length).toBe(2);
      expect([...run, ...inPods].filter((image) => !tags.includes(image))).toEqual([]);
    });
  });
});
