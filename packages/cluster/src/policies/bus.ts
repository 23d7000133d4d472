import { ofKind } from '../manifests/kinds.js';
import { lastingWorkloadsOf } from '../manifests/manifest.js';
import { bytesOf } from '../manifests/quantity.js';
import { configOf } from '../race/servers.js';
import type { Policy } from './policy.js';

const NATS = 'nats';

export const BUS = {
  'a NATS server hands its clients over before it is ended': (manifests) => {
    const { server } = configOf(manifests);
    const [, pidFile] = /^pid_file: "(.+)"$/m.exec(server) ?? [];
    const [, seconds] = /^lame_duck_duration: "(\d+)s"$/m.exec(server) ?? [];
    return lastingWorkloadsOf(manifests)
      .filter(({ name }) => name === NATS)
      .filter(({ pod }) => {
        const { lifecycle } = pod.containers[0] ?? {};
        const isTold = lifecycle?.preStop?.exec?.command.includes(`-sl=ldm=${pidFile}`) ?? false;
        return !isTold || !(Number(seconds) < (pod.terminationGracePeriodSeconds ?? 30));
      })
      .map(({ name }) => name);
  },
  'what streams may hold fits into the volume of a NATS server': (manifests) => {
    const [, bytes] = /^\s*max_file_store: (\d+)$/m.exec(configOf(manifests).server) ?? [];
    return ofKind(manifests, 'StatefulSet')
      .filter(({ metadata }) => metadata.name === NATS)
      .flatMap(({ spec }) => spec.volumeClaimTemplates)
      .map(({ spec }) => spec.resources.requests.storage)
      .filter((storage) => !(Number(bytes) < bytesOf(storage)))
      .map((storage) => `${bytes} bytes in ${storage}`);
  },
} satisfies Record<string, Policy>;
