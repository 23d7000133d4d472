import { InsideClient } from '../inside/client.js';
import { exposeListeners } from '../inside/proxy.js';
import type { ResolvedSpec } from '../resolved-spec.js';
import { diskBytes, launcherArguments, type SandboxPlan } from './arguments.js';
import { type BaseImage, baseImage, layered } from './base-image.js';
import { Cgroup } from './cgroup.js';
import { CgroupMeter } from './cgroup-meter.js';
import { imageFile, makeImage } from './disk-image.js';
import { groupLimits, gvisorArguments } from './gvisor-bundle.js';
import type { Host } from './host.js';
import { rootPoint, type UnpackedImage } from './image-roots.js';
import { LauncherClient } from './launcher-client.js';
import type { LocalSandbox } from './local-sandbox.js';
import { type BubblewrapOptions, DISK_DEFAULTS, MEMORY_DISK_BYTES_MAX } from './options.js';
import { layerPoints } from './packaging.js';
import { RunDelayMeter } from './run-delays.js';
import type { ProcessEnd, SandboxProcess } from './sandbox-process.js';

/** A sandbox that is coming up. */
export interface StartedSandbox {
  inside: InsideClient;
  /** Resolves when the process inside is ready. */
  ready: Promise<void>;
  ended: Promise<ProcessEnd>;
}

/** Turns a spec into a running sandbox; what it takes on the way is held by the sandbox's object. */
export class SandboxFactory {
  readonly #bases = new Map<string, BaseImage>();
  readonly #launcher: LauncherClient;

  constructor(
    private readonly host: Host,
    private readonly options: BubblewrapOptions,
  ) {
    this.#launcher = new LauncherClient(host.tools.launcher, host.socketDirectory);
  }

  /** All that it has opened has ended before. */
  async close(): Promise<void> {
    await this.#launcher.close();
  }

  /** `layer`: the root of what is laid over the template. */
  async open(
    spec: ResolvedSpec,
    sandbox: LocalSandbox,
    { layer, image }: { layer?: string | undefined; image?: UnpackedImage | undefined },
  ): Promise<StartedSandbox> {
    const plan = this.#plan(spec, sandbox, layer);
    if (image !== undefined) {
      const layers = [...image.layers].reverse();
      const runAsRoot = spec.image?.runAsRoot ?? false;
      plan.imageRoot = { layers, directory: rootPoint(this.host.stateDir), runAsRoot };
    }
    if (plan.image !== undefined && this.host.imageMaker !== undefined) {
      sandbox.hold({ image: plan.image });
      await makeImage(this.host.imageMaker, plan.image, spec.limits.workspaceBytes);
    }
    if (this.host.layout) {
      const limits = { ...spec.limits, memoryBytes: spec.limits.memoryBytes + diskBytes(plan) };
      const cgroup = Cgroup.create(
        this.host.layout,
        sandbox.id,
        this.host.runsc === undefined ? limits : groupLimits(limits),
      );
      sandbox.hold({ cgroup });
      if (this.host.cpuStarvation !== 'none') {
        sandbox.hold({ cpuMeter: new CgroupMeter(cgroup, this.host.layout.version) });
      }
      plan.cgroupFiles = cgroup.joinFiles;
    }
    const child = await this.#launch(plan, sandbox);
    sandbox.hold({ process: child });
    if (!this.host.layout)
      this.#measureByThreads(sandbox, () => (child.pid === undefined ? [] : [child.pid]));
    const inside = new InsideClient(child);
    const ready = inside.ready.then(() => exposeListeners(inside, spec));
    return { inside, ready, ended: child.ended };
  }

  async #launch(plan: SandboxPlan, sandbox: LocalSandbox): Promise<SandboxProcess> {
    const { runsc, bundleDirectory } = this.host;
    if (runsc === undefined) return await this.#launcher.launch(launcherArguments(plan));
    const { id, uid = 0 } = sandbox;
    const args = gvisorArguments({ ...plan, id, uid, runsc, bundleDirectory });
    return await this.#launcher.launch(args, () => sandbox.killGroup());
  }

  /** The root directory of a template's image, or of the default one. */
  rootOf(template: string | undefined): string {
    return template === undefined ? '/' : (this.host.templates[template] ?? '/');
  }

  #measureByThreads(sandbox: LocalSandbox, roots: () => readonly number[]): void {
    if (this.host.cpuStarvation === 'run_delay') sandbox.hold({ cpuMeter: new RunDelayMeter(roots) });
  }

  #plan(spec: ResolvedSpec, { id, uid }: LocalSandbox, layer: string | undefined): SandboxPlan {
    const { host, options } = this;
    const base = this.#baseOf(spec.template);
    const inMemoryMax = options.memoryDiskBytesMax ?? MEMORY_DISK_BYTES_MAX;
    const isImage = host.imageMaker !== undefined && spec.limits.workspaceBytes > inMemoryMax;
    return {
      spec,
      base: layer === undefined ? base : layered(base, layer, layerPoints(host.stateDir)),
      sizes: {
        tmpBytes: options.tmpBytes ?? DISK_DEFAULTS.tmpBytes,
        homeBytes: options.homeBytes ?? DISK_DEFAULTS.homeBytes,
        sharedMemoryBytes: options.sharedMemoryBytes ?? DISK_DEFAULTS.sharedMemoryBytes,
        extraBytes: options.extraBytes ?? DISK_DEFAULTS.extraBytes,
      },
      bwrap: host.bwrap,
      insideTool: host.tools.inside,
      diskDirectory: host.diskDirectory,
      // Mounted before the uid is dropped: an ordinary user's terminals would have no owner inside.
      ...(uid === undefined ? {} : { terminalDirectory: host.terminalDirectory }),
      seccompFile: host.seccompFile,
      ...(isImage ? { image: imageFile(host.stateDir, id) } : {}),
      ...(uid === undefined ? {} : { uid }),
      cgroupFiles: [],
      isPidLimitOwn: host.hasOwnUids || host.countsPidsPerNamespace,
    };
  }

  #baseOf(template: string | undefined): BaseImage {
    const root = this.rootOf(template);
    const base = this.#bases.get(root) ?? baseImage(root, this.host.stateDir);
    this.#bases.set(root, base);
    return base;
  }
}
