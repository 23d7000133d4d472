import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ACCESS } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { containersOf, workloadsOf } from '../manifests/manifest.js';
import { hasKubectl, renderOverlay } from '../manifests/render.js';
import { repository } from '../repository.js';
import { readBake } from './bake.js';
import { argumentOf, pairsOf, parseRecipe, type Recipe, readRecipe, type Stage } from './recipe.js';

const DOCKER = path.join(repository, 'infra/docker');
const bake = readBake(path.join(DOCKER, 'docker-bake.json'));
const recipe = readRecipe(path.join(DOCKER, 'Dockerfile'));

type Rule = (recipe: Recipe) => string[];

const made = ({ stages }: Recipe) => stages.filter(({ name }) => targets().has(name));
const targets = () => new Set(Object.values(bake).flatMap(({ target }) => target ?? []));
const stepsOf = (stage: Stage, keyword: string) => stage.steps.filter((step) => step.keyword === keyword);
const services = (read: Recipe) =>
  made(read).filter((stage) => stepsOf(stage, 'CMD').some(({ words }) => words?.[0] === 'node'));
const each = (stages: readonly Stage[], isWrong: (stage: Stage) => boolean) =>
  stages.filter(isWrong).map(({ name }) => name);

const RULES: Record<string, Rule> = {
  'every image runs as a user with a number above 0': (read) =>
    each(made(read), (stage) => !/^[1-9]\d*:[1-9]\d*$/.test(stepsOf(stage, 'USER').at(-1)?.text ?? '')),
  'every base image has a whole version': (read) =>
    [...Object.values(read.arguments), ...read.stages.map(({ from }) => from)].filter(
      (image) => /[/:]/.test(image) && !image.startsWith('${') && !/:\d+\.\d+\.\d+-[a-z]+/.test(image),
    ),
  'every stage stands on scratch, a stage, or the one base image': (read) => {
    const known = new Set(['scratch', '${NODE_IMAGE}', ...read.stages.map(({ name }) => name)]);
    return each(read.stages, ({ from }) => !known.has(from));
  },
  'every image says what it is, of which version and source': (read) =>
    each(made(read), (stage) => {
      const labels = stepsOf(stage, 'LABEL')
        .map(({ text }) => text)
        .join(' ');
      return !['title', 'version', 'revision'].every((key) =>
        labels.includes(`org.opencontainers.image.${key}=`),
      );
    }),
  'nothing is fetched but by package managers': (read) =>
    each(
      read.stages,
      (stage) =>
        [
          ...stepsOf(stage, 'ADD'),
          ...stepsOf(stage, 'RUN').filter(({ text }) => /\b(curl|wget|git clone)\b/.test(text)),
        ].length > 0,
    ),
  'packages of the distribution come from one day of its archive': (read) =>
    each(read.stages, (stage) => stepsOf(stage, 'RUN').some(({ text }) => /\bapt(-get)?\b/.test(text))),
  'programs are installed as the lockfile or a version says': (read) =>
    read.stages.flatMap((stage) =>
      stepsOf(stage, 'RUN')
        .filter(({ text }) => !isPinned(text))
        .map(({ line }) => `line ${line}`),
    ),
  'commands are words, so that signals reach the process': (read) =>
    each(made(read), (stage) => {
      const last = stage.steps.findLast(({ keyword }) => keyword === 'CMD' || keyword === 'ENTRYPOINT');
      return last?.words === undefined;
    }),
  'every image with a process is stopped by the signal that processes obey': (read) =>
    each(services(read), (stage) => stepsOf(stage, 'STOPSIGNAL').at(-1)?.text !== 'SIGTERM'),
  'every service knows that it is in production': (read) =>
    each(services(read), (stage) => {
      const pairs = stepsOf(stage, 'ENV').flatMap(({ text }) => pairsOf(text));
      return Object.fromEntries(pairs).NODE_ENV !== 'production';
    }),
  'no credential is an argument or a variable': (read) =>
    read.stages.flatMap((stage) =>
      [...stepsOf(stage, 'ARG'), ...stepsOf(stage, 'ENV')]
        .filter(({ text }) => /PASSWORD|SECRET|TOKEN|SEED|API_KEY/.test(text))
        .map(({ line }) => `line ${line}`),
    ),
};

const BREACHES: Record<keyof typeof RULES, [string, string]> = {
  'every image runs as a user with a number above 0': ['USER 65532:65532', 'USER root'],
  'every base image has a whole version': [':24.21.0-bookworm-slim', ':24'],
  'every stage stands on scratch, a stage, or the one base image': [
    'FROM scratch AS service',
    'FROM alpine AS service',
  ],
  'every image says what it is, of which version and source': ['org.opencontainers.image.title', 'title'],
  'nothing is fetched but by package managers': [
    'COPY tsconfig.json ./',
    'ADD https://example.com/tsconfig.json ./',
  ],
  'packages of the distribution come from one day of its archive': [
    'RUN sh /opt/distroless.sh',
    'RUN apt-get install -y jq; sh',
  ],
  'programs are installed as the lockfile or a version says': ['"turbo@${TURBO_VERSION}"', 'turbo'],
  'commands are words, so that signals reach the process': [
    'CMD ["node", "dist/main.js"]',
    'CMD node dist/main.js',
  ],
  'every image with a process is stopped by the signal that processes obey': [
    'STOPSIGNAL SIGTERM',
    'STOPSIGNAL SIGKILL',
  ],
  'every service knows that it is in production': ['NODE_ENV=production', 'NODE_ENV=development'],
  'no credential is an argument or a variable': ['ARG APP', 'ARG NPM_TOKEN'],
};

function isPinned(command: string): boolean {
  if (/pnpm install/.test(command)) return /--frozen-lockfile/.test(command);
  const [, programs = ''] = /npm install --global (.*)/.exec(command) ?? [];
  return programs.split(' ').every((program) => program === '' || /@\$\{\w+\}/.test(program));
}

describe('the Dockerfile', () => {
  test.each(Object.keys(RULES))('%s', (name) => expect(RULES[name]?.(recipe)).toEqual([]));

  describe('is refused where it breaks this', () => {
    const text = readFileSync(path.join(DOCKER, 'Dockerfile'), 'utf8');
    test.each(Object.keys(RULES))('%s', (name) => {
      const [was = '', broken = ''] = BREACHES[name] ?? [];
      expect(text).toContain(was);
      expect(RULES[name]?.(parseRecipe(text.replaceAll(was, broken)))).not.toEqual([]);
    });
  });

  test('installs the tools that the repository names', () => {
    const { packageManager } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
      packageManager: string;
    };
    const { catalog } = parse(readFileSync(path.join(repository, 'pnpm-workspace.yaml'), 'utf8')) as {
      catalog: Record<string, string>;
    };
    const tools = recipe.stages.find(({ name }) => name === 'tools');
    const versions = Object.fromEntries(
      tools ? stepsOf(tools, 'ARG').map(({ text }) => argumentOf(text)) : [],
    );
    expect(`pnpm@${versions.PNPM_VERSION}`).toBe(packageManager);
    expect(`^${versions.TURBO_VERSION}`).toBe(catalog.turbo);
  });

  (hasKubectl() ? test : test.skip)('makes every image of ours that a cluster is asked to run', () => {
    const tags = Object.values(bake).flatMap(({ tags: own = [] }) => own);
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

  describe('makes each image', () => {
    const images = Object.entries(bake).filter(([, { target }]) => target !== undefined);

    test.each(images)('of %s of its own app, for both kinds of machine', (name, image) => {
      const { args = {}, platforms, tags = [], target } = image;
      expect(platforms).toEqual(['linux/amd64', 'linux/arm64']);
      if (target === 'service') {
        expect(args.APP).toBe(name);
        expect(tags).toEqual([`agentclash/${name}:${args.VERSION}`]);
        expect(existsSync(path.join(repository, 'apps', name, 'package.json'))).toBe(true);
      }
    });

    test('of every service there is, with the web app in the gateway alone', () => {
      const made = images.filter(([, { target }]) => target === 'service');
      expect(made.map(([name]) => name).sort()).toEqual(Object.keys(ACCESS).sort());
      expect(made.flatMap(([name, { args }]) => (args?.WITH ? [[name, args.WITH]] : []))).toEqual([
        ['gateway', 'web'],
      ]);
      expect(bake['executor-bubblewrap']?.args?.APP).toBe('sandbox-executor');
    });
  });

  test('has its images carry a list of what is in them, and how they were made', () => {
    for (const [name, { attest }] of Object.entries(bake)) {
      expect({ name, attest }).toEqual({ name, attest: ['type=sbom', 'type=provenance,mode=max'] });
    }
  });
});
