import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Controller, PRESSURE_FILE, parseCgroupMounts } from '../bubblewrap/cgroup-layout.js';
import { CgroupMeter } from '../bubblewrap/cgroup-meter.js';
import { reportsRunDelays } from '../bubblewrap/run-delays.js';
import type { CpuStarvation } from '../contract.js';
import type { ContainerDetails } from './engine-objects.js';

interface ContainerMeter {
  meter: CgroupMeter;
  kind: CpuStarvation;
  /** Undefined once the container is gone. */
  cpuMs(): number | undefined;
  oomKills(): number | undefined;
}

/** Of cgroups of both versions. */
const OOM_FILES = ['memory.events', 'memory.oom_control'];
const OOM_KILLS = /^oom_kill (\d+)/m;

/** Reads the CPU accounting of a container whose daemon is on this machine; undefined where it is on another. */
export function containerMeter({ Id, State: { Pid } }: ContainerDetails): ContainerMeter | undefined {
  try {
    const groups = groupsOf(Id, readFileSync(`/proc/${Pid}/cgroup`, 'utf8'));
    const version = groups.cpuacct === undefined ? 2 : 1;
    const directoryOf = (controller: Controller) => groups[controller];
    if (groups.cpu === undefined || !reportsRunDelays()) return undefined;
    const kind = groups.pressure === undefined ? 'run_delay' : 'pressure';
    const meter = new CgroupMeter({ directoryOf }, version);
    const oomKills = () => (groups.memory === undefined ? undefined : oomKillsIn(groups.memory));
    return { kind, meter, cpuMs: () => meter.begin()?.usedMs, oomKills };
  } catch {
    return undefined; // no such process: it is on another machine
  }
}

function oomKillsIn(directory: string): number | undefined {
  const file = OOM_FILES.map((name) => path.join(directory, name)).find((each) => existsSync(each));
  if (file === undefined) return undefined;
  try {
    const found = OOM_KILLS.exec(readFileSync(file, 'latin1'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined; // it has gone meanwhile
  }
}

/** The directories of the groups that bear the id of the container: of another machine none does. */
function groupsOf(id: string, text: string): Partial<Record<Controller, string>> {
  const mounts = parseCgroupMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  const groups: Partial<Record<Controller, string>> = {};
  for (const line of text.split('\n').filter((each) => each.includes(id))) {
    const [, controllers = '', group = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    for (const { version, mountPoint, controllers: mounted } of mounts) {
      const directory = path.join(mountPoint, group);
      if (version === 2 && controllers === '' && existsSync(directory)) {
        groups.cpu ??= directory;
        groups.memory ??= directory;
        if (existsSync(path.join(directory, PRESSURE_FILE))) groups.pressure = directory;
      }
      for (const each of ['cpu', 'cpuacct', 'memory'] as const) {
        if (version === 1 && controllers.split(',').includes(each) && mounted.includes(each))
          groups[each] = directory;
      }
    }
  }
  return groups;
}
