import { ExecutorReport } from '@agentclash/contracts';
import { z } from 'zod';
import { route } from './route.js';

export const serviceRoutes = {
  health: route({
    method: 'GET',
    path: '/healthz',
    access: 'public',
    summary: 'The process lives',
    response: z.object({ status: z.literal('ok') }),
    status: 200,
  }),
  readiness: route({
    method: 'GET',
    path: '/readyz',
    access: 'public',
    summary: 'Readiness of its dependencies; 503 names the unavailable ones',
    response: z.object({ ready: z.boolean(), parts: z.record(z.string(), z.string()) }),
    status: 200,
    also: { 503: 'Something is missing' },
  }),
  installation: route({
    method: 'GET',
    path: '/v1/health',
    access: 'any_token',
    summary: 'Health of every service behind the API, and the registered executors',
    response: z.object({
      /** The release of the gateway; absent in those before it was shown. */
      version: z.string().optional(),
      services: z.array(
        z.object({ name: z.string(), state: z.enum(['ready', 'away']), detail: z.string().optional() }),
      ),
      executors: z.array(ExecutorReport),
    }),
    status: 200,
  }),
  reference: route({
    method: 'GET',
    path: '/docs',
    access: 'public',
    summary: 'This document as an HTML page',
    response: 'page',
    status: 200,
  }),
  openapi: route({
    method: 'GET',
    path: '/v1/openapi.json',
    access: 'public',
    summary: 'This document',
    response: z.record(z.string(), z.unknown()),
    status: 200,
  }),
};
