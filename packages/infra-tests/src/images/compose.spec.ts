import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { repository } from '../repository.js';
import { COMPOSE_TEXT, type ComposeService, readCompose } from './compose.js';
import { pairsOf, readBuildTargets, readDockerfile } from './dockerfile.js';

const { name: project, services, volumes } = readCompose();
const service = Object.values(services)[0] as ComposeService;
const DOCKER = path.join(repository, 'infra/docker');
const stage = readDockerfile(path.join(DOCKER, 'Dockerfile')).stages.find(
  ({ name }) => name === 'all-in-one',
);
const stepsOf = (keyword: string) => stage?.steps.filter((step) => step.keyword === keyword) ?? [];

test('The file for Docker Compose has one service, of the image that a release publishes, in about ten lines.', () => {
  const targets = readBuildTargets(path.join(DOCKER, 'docker-bake.json'));
  const [tag = ''] = targets['all-in-one']?.tags ?? [];
  const { repository: source } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
  const owner = /github\.com\/([^/]+)\//.exec(source.url)?.[1];
  expect(Object.keys(services)).toEqual(['agentclash']);
  expect(service.image).toBe(`ghcr.io/${owner}/${tag}`);
  const lines = COMPOSE_TEXT.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  expect(lines.length).toBeLessThanOrEqual(13);
});

// Without one, Compose takes that of the folder, `docker`: shared with other projects, and another for the file of a release.
test('The project and with it the volume are named by the file, not by the folder in which it is.', () => {
  expect(project).toBe('agentclash');
});

test('The web app is reachable from the machine alone, on the port that the image serves.', () => {
  const [port] = stepsOf('EXPOSE').map(({ text }) => text);
  const command = stepsOf('CMD').at(-1)?.json ?? [];
  expect(service.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(command[command.indexOf('--port') + 1]).toBe(port);
});

test('Everything that the image writes is in the volume: data, settings and caches.', () => {
  const [volume] = service.volumes;
  const [name = '', target = ''] = volume?.split(':') ?? [];
  expect(Object.keys(volumes)).toEqual([name]);
  expect(stepsOf('VOLUME').map(({ text }) => text)).toEqual([target]);
  const command = stepsOf('CMD').at(-1)?.json ?? [];
  expect(command[command.indexOf('--data') + 1]).toBe(target);
  const variables = Object.fromEntries(stepsOf('ENV').flatMap(({ text }) => pairsOf(text)));
  for (const key of ['HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'])
    expect(variables[key]).toMatch(new RegExp(`^${target}/\\w+$`));
});

test('The container has no capability and gets none, and of the protections of Docker those that sandboxes need are off.', () => {
  expect(service.cap_drop).toEqual(['ALL']);
  expect(service.security_opt).toEqual([
    'no-new-privileges=true',
    'seccomp=unconfined',
    'apparmor=unconfined',
    'systempaths=unconfined',
  ]);
});
