import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { repository } from '../repository.js';

/** The service of compose.yaml, with every key that it may have. */
export interface ComposeService {
  image: string;
  init: boolean;
  restart: string;
  ports: string[];
  volumes: string[];
  stop_grace_period: string;
  cap_drop: string[];
  security_opt: string[];
  healthcheck: { test: string[]; start_period: string; timeout: string };
}

const COMPOSE_FILE = path.join(repository, 'infra/docker/compose.yaml');

export const COMPOSE_TEXT = readFileSync(COMPOSE_FILE, 'utf8');

export interface ComposeDocument {
  name: string;
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
}

export function readCompose(): ComposeDocument {
  return parse(COMPOSE_TEXT);
}

/** The same as options of `docker run`, but for its network, its restarts and the interval of its checks. */
export function runOptions(service: ComposeService): string[] {
  const { init, volumes, cap_drop, security_opt, healthcheck } = service;
  const [kind, ...check] = healthcheck.test;
  if (kind !== 'CMD') throw new Error(`a health check by ${kind} is not translated`);
  return [
    ...(init ? ['--init'] : []),
    ...volumes.flatMap((volume) => ['--volume', volume]),
    ...cap_drop.flatMap((name) => ['--cap-drop', name]),
    ...security_opt.flatMap((option) => ['--security-opt', option]),
    ...['--health-cmd', check.join(' '), '--health-timeout', healthcheck.timeout],
    ...['--health-start-period', healthcheck.start_period],
  ];
}
