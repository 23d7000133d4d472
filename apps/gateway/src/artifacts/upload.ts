import '@fastify/multipart';
import { ARTIFACT_BYTES_MAX } from '@agentclash/api';
import { ContractError } from '@agentclash/contracts';
import type { BlobStore, StoredBlob } from '@agentclash/service-kit';
import type { FastifyRequest } from 'fastify';

export interface ReceivedFile extends StoredBlob {
  name: string;
  mediaType: string;
}

/** Streams the one file of a multipart request into the blob store; it is never held in memory as a whole. */
export async function receiveFile(request: FastifyRequest, blobs: BlobStore): Promise<ReceivedFile> {
  if (!request.isMultipart()) {
    throw new ContractError('unsupported_media_type', 'Send the file as multipart/form-data.');
  }
  // One byte more than allowed: the blob store tells that it is too much and keeps nothing.
  const limits = { fileSize: ARTIFACT_BYTES_MAX + 1, files: 1, fields: 10, parts: 11, headerPairs: 50 };
  const part = await request.file({ limits }).catch((error: unknown) => {
    throw brokenOff(error);
  });
  if (part === undefined) throw noFile();
  checkName(part.filename);
  let broken: unknown;
  part.file.once('error', (error) => {
    broken = error;
  });
  try {
    const stored = await blobs.put(part.file, ARTIFACT_BYTES_MAX);
    return { ...stored, name: part.filename, mediaType: part.mimetype };
  } catch (error) {
    const isTheirs = error === broken || request.raw.destroyed;
    throw isTheirs && !(error instanceof ContractError) ? brokenOff(error) : error;
  }
}

/** The form cannot be read, or its sender left; the parser's own errors keep their status. */
function brokenOff(cause: unknown): unknown {
  if (cause instanceof Error && 'statusCode' in cause) return cause;
  return new ContractError('unreadable', 'The upload is no complete multipart form.', {}, { cause });
}

function noFile(): ContractError {
  return new ContractError('invalid_input', 'The request holds no file.', {
    errors: [{ code: 'missing', field: 'file', message: 'must be a part with a file name' }],
  });
}

function checkName(name: string): void {
  if (name.length > 0 && name.length <= 512 && !/\p{Cc}/u.test(name)) return;
  throw new ContractError('invalid_input', 'The file needs a name.', {
    errors: [
      { code: 'malformed', field: 'file', message: 'its name must have 1 to 512 printable characters' },
    ],
  });
}
