import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { baseImages, DOCKERFILE_CHARACTERS_MAX } from '@agentclash/domain';
import type { ImageBuild } from '../image.js';
import { SandboxError } from '../sandbox-error.js';

/** The text of a build's Dockerfile, and the names of the images that it needs. Throws `invalid_image`. */
export async function readDockerfile({
  context,
  dockerfile,
}: ImageBuild): Promise<{ text: string; bases: string[] }> {
  const text = await readFile(path.join(context, dockerfile), 'utf8').catch(() => '');
  const bases = text.length > DOCKERFILE_CHARACTERS_MAX ? undefined : baseImages(text);
  if (bases === undefined) {
    const message = `${dockerfile} is no Dockerfile with FROM of at most 64 KiB`;
    throw new SandboxError('invalid_image', message);
  }
  const unknown = bases.find(({ isKnown }) => !isKnown);
  if (unknown) {
    const message = `line ${unknown.line} of ${dockerfile}: the image ${unknown.name} has a variable without a default`;
    throw new SandboxError('invalid_image', message, { fix: 'give the ARG before it a default' });
  }
  return { text, bases: bases.map(({ name }) => name) };
}
