import type { ResolvedSpec } from '../resolved-spec.js';
import { bwrapDepth, diskBytes, launcherArguments, type SandboxPlan } from './arguments.js';
import { type BaseImage, baseImage } from './base-image.js';
import { Cgroup } from './cgroup.js';
import { imageFile, makeImage } from './disk-image.js';
import type { Host } from './host.js';
import type { LocalSandbox } from './local-sandbox.js';
import { type BubblewrapOptions, DISK_DEFAULTS, MEMORY_DISK_BYTES_MAX } from './options.js';
import { SandboxProcess } from './sandbox-process.js';

/** Turns a spec into a running first process; what it takes on the way is held by the sandbox. */
export class Opener {
  readonly #bases = new Map<string, BaseImage>();

  constructor(
    private readonly host: Host,
    private readonly options: BubblewrapOptions,
  ) {}

  async open(spec: ResolvedSpec, sandbox: LocalSandbox): Promise<SandboxProcess> {
    const plan = this.#plan(spec, sandbox);
    if (plan.image !== undefined && this.host.imageMaker !== undefined) {
      sandbox.hold({ image: plan.image });
      await makeImage(this.host.imageMaker, plan.image, spec.limits.workspaceBytes);
    }
    if (this.host.layout) {
      const limits = { ...spec.limits, memoryBytes: spec.limits.memoryBytes + diskBytes(plan) };
      const cgroup = Cgroup.create(this.host.layout, sandbox.id, limits);
      sandbox.hold({ cgroup });
      plan.cgroupFiles = cgroup.joinFiles;
    }
    const command = [this.host.tools.launcher, ...launcherArguments(plan)] as const;
    const child = new SandboxProcess(command, bwrapDepth(plan));
    sandbox.hold({ process: child });
    return child;
  }

  #plan(spec: ResolvedSpec, { id, uid }: LocalSandbox): SandboxPlan {
    const { host, options } = this;
    const inMemoryMax = options.memoryDiskBytesMax ?? MEMORY_DISK_BYTES_MAX;
    const isImage = host.imageMaker !== undefined && spec.limits.workspaceBytes > inMemoryMax;
    return {
      spec,
      base: this.#baseOf(spec.template),
      sizes: {
        tmpBytes: options.tmpBytes ?? DISK_DEFAULTS.tmpBytes,
        homeBytes: options.homeBytes ?? DISK_DEFAULTS.homeBytes,
        sharedMemoryBytes: options.sharedMemoryBytes ?? DISK_DEFAULTS.sharedMemoryBytes,
        extraBytes: options.extraBytes ?? DISK_DEFAULTS.extraBytes,
      },
      bwrap: host.bwrap,
      insideTool: host.tools.inside,
      diskDirectory: host.diskDirectory,
      seccompFile: host.seccompFile,
      ...(isImage ? { image: imageFile(host.stateDir, id) } : {}),
      ...(uid === undefined ? {} : { uid }),
      cgroupFiles: [],
      isPidLimitOwn: host.hasOwnUids || host.countsPidsPerNamespace,
    };
  }

  #baseOf(template: string | undefined): BaseImage {
    const root = template === undefined ? '/' : (this.options.templates?.[template] ?? '/');
    const base = this.#bases.get(root) ?? baseImage(root, this.host.stateDir);
    this.#bases.set(root, base);
    return base;
  }
}
