import { z } from 'zod';
import { rpc } from './message.js';

const ExecutorId = z.string().min(1).max(200);

/** What one executor has to run attempts with. */
export const ExecutorReport = z.object({
  executor_id: ExecutorId,
  /** Of its sandboxes, such as `bubblewrap`. */
  provider: z.string(),
  /** How well they are kept apart, in the provider's own word. */
  isolation: z.string(),
  /** Attempts at work at once. */
  attempts_max: z.number().int().min(1),
  capabilities: z.object({
    /** Installs packages that an image lacks, unless the image says otherwise. */
    packages: z.boolean(),
    /** Brings admitted network to the processes of a sandbox. */
    egress_proxy: z.boolean(),
  }),
  /** What sandboxes are made of: one image for each template, and that of packs which name none (`null`). */
  images: z.array(
    z.object({
      template: z.string().nullable(),
      packages: z.array(z.string()),
      /** Whether others can be installed; default: as the capability says. */
      installs: z.boolean().optional(),
    }),
  ),
});
export type ExecutorReport = z.infer<typeof ExecutorReport>;

/** What the executors at work have; read by whoever shows the installation. */
export const fleet = {
  list: rpc('executors.v1.list', {
    input: z.object({}),
    output: z.object({ items: z.array(ExecutorReport) }),
  }),
};

/** How executors let the orchestrator know what they can run. Who is silent for two minutes does not count. */
export const executors = {
  /** Said once at start, and again when `renew` finds it forgotten. */
  report: rpc('executors.v1.report', { input: ExecutorReport, output: z.object({}) }),
  /** Said every 30 seconds. Not known: report anew. */
  renew: rpc('executors.v1.renew', {
    input: z.object({ executor_id: ExecutorId }),
    output: z.object({ is_known: z.boolean() }),
  }),
  /** It takes no further attempts. Idempotent. */
  leave: rpc('executors.v1.leave', {
    input: z.object({ executor_id: ExecutorId }),
    output: z.object({}),
  }),
};
