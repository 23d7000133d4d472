import { type DaemonVariables, daemonAddress } from './daemon-address.js';
import { Engine } from './engine.js';
import { type ContainerSummary, LABEL, MANAGER } from './engine-objects.js';
import { ImageCache, isOurs } from './image-cache.js';

/** The objects of sandboxes on a Docker daemon, by the names that the command line of Docker takes. */
export interface DaemonObjects {
  /** Of the daemon, as in `DOCKER_HOST`. */
  url: string;
  containers: string[];
  volumes: string[];
  /** Tags of ours. The image of one may have tags of its user beside it. */
  images: string[];
}

/** The label of containers and volumes of sandboxes, as a filter of Docker. */
export const DAEMON_LABEL = `${LABEL.managedBy}=${MANAGER}`;

/** Throws `unavailable` where no daemon responds, EngineError where it refuses. */
export async function daemonObjects(given: DaemonVariables): Promise<DaemonObjects> {
  const address = daemonAddress(given);
  const engine = new Engine(address);
  const filters = JSON.stringify({ label: [DAEMON_LABEL] });
  const containers = await engine.get<ContainerSummary[]>('/containers/json', {
    query: { all: '1', filters },
  });
  const { Volumes } = await engine.get<{ Volumes: { Name: string }[] | null }>('/volumes', {
    query: { filters },
  });
  const images = await new ImageCache(engine, 0).list();
  return {
    url: address.url,
    containers: containers.map(({ Id, Names }) => Names?.[0]?.replace(/^\//, '') ?? Id),
    volumes: (Volumes ?? []).map(({ Name }) => Name),
    images: images.flatMap(({ RepoTags }) => RepoTags ?? []).filter(isOurs),
  };
}
