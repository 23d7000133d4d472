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
}

/** Reads the CPU accounting of a container whose daemon is on this machine; undefined where it is on another. */
export function containerMeter({ Id, State: { Pid } }: ContainerDetails): ContainerMeter | undefined {
  try {
    const groups = groupsOf(Id, readFileSync(`/proc/${Pid}/cgroup`, 'utf8'));
    const version = groups.cpuacct === undefined ? 2 : 1;
    const directoryOf = (controller: Controller) => groups[controller];
    if (groups.cpu === undefined || !reportsRunDelays()) return undefined;
    const kind = groups.pressure === undefined ? 'run_delay' : 'pressure';
    return { kind, meter: new CgroupMeter({ directoryOf }, version) };
  } catch {
    return undefined; // no such process: it is on another machine
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
        if (existsSync(path.join(directory, PRESSURE_FILE))) groups.pressure = directory;
      }
      for (const each of ['cpu', 'cpuacct'] as const) {
        if (version === 1 && controllers.split(',').includes(each) && mounted.includes(each))
          groups[each] = directory;
      }
    }
  }
  return groups;
}
