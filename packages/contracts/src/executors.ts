import { z } from 'zod';
import { rpc } from './message.js';

const ExecutorId = z.string().min(1).max(200);

/** The capabilities of one executor. */
export const ExecutorReport = z.object({
  executor_id: ExecutorId,
  /** Of its sandboxes, such as `bubblewrap`. */
  provider: z.string(),
  /** The provider's level of isolation. */
  isolation: z.string(),
  /** Attempts at the same time. */
  attempts_max: z.number().int().min(1),
  capabilities: z.object({
    /** Installs packages that an image lacks, unless the image excludes it. */
    packages: z.boolean(),
    /** Brings admitted network to the processes of a sandbox. */
    egress_proxy: z.boolean(),
    /** Shows packages of coding agents in a sandbox. */
    agent_packages: z.boolean().optional(),
    /** Runs images that packs name. */
    images: z.boolean().optional(),
    /** Builds them from Dockerfiles. */
    image_builds: z.boolean().optional(),
    /** With a network, where the pack requires it. */
    network_in_builds: z.boolean().optional(),
    /** As root in them. */
    root_in_images: z.boolean().optional(),
    /** Of the machine, as in `linux-x64`; packages of coding agents may need one. */
    platform: z.string().optional(),
  }),
  /** The images of sandboxes: one for each template, and that of packs which name none (`null`). */
  images: z.array(
    z.object({
      template: z.string().nullable(),
      packages: z.array(z.string()),
      /** True when others can be installed; default: the capability. */
      installs: z.boolean().optional(),
      /** Those of `python3` and `node` that it has; absent: not known. */
      interpreters: z.array(z.string()).optional(),
    }),
  ),
});
export type ExecutorReport = z.infer<typeof ExecutorReport>;

/** The capabilities of the registered executors, for status views. */
export const fleet = {
  list: rpc('executors.v1.list', {
    input: z.object({}),
    output: z.object({ items: z.array(ExecutorReport) }),
  }),
};

/** Registration of executors with the orchestrator. A registration without a heartbeat for two minutes expires. */
export const executors = {
  /** Registers at start, and again when `renew` finds no registration. */
  report: rpc('executors.v1.report', { input: ExecutorReport, output: z.object({}) }),
  /** The heartbeat, every 30 seconds. `is_known` false: register again. */
  renew: rpc('executors.v1.renew', {
    input: z.object({ executor_id: ExecutorId }),
    output: z.object({ is_known: z.boolean() }),
  }),
  /** Deregisters: it accepts no further attempts. Idempotent. */
  leave: rpc('executors.v1.leave', {
    input: z.object({ executor_id: ExecutorId }),
    output: z.object({}),
  }),
};
