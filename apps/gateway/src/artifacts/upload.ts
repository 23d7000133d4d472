import { ARTIFACT_BYTES_MAX } from '@agentclash/api';
import { ContractError } from '@agentclash/contracts';
import type { StoredBlob } from '@agentclash/service-kit';
import type { FastifyRequest } from 'fastify';
import { brokenForm, readContent } from '../http/form-content.js';
import type { PutBytes } from './received-bytes.js';

export interface ReceivedFile extends StoredBlob {
  name: string;
  mediaType: string;
}

/** Streams the one file of a multipart request into the blob store; it is never held in memory as a whole. */
export async function receiveFile(request: FastifyRequest, put: PutBytes): Promise<ReceivedFile> {
  if (!request.isMultipart()) {
    throw new ContractError('unsupported_media_type', 'Send the file as multipart/form-data.');
  }
  // One byte more than allowed: the blob store tells that it is too much and keeps nothing.
  const limits = { fileSize: ARTIFACT_BYTES_MAX + 1, files: 1, fields: 10, parts: 11, headerPairs: 50 };
  const part = await request.file({ limits }).catch((error: unknown) => {
    throw brokenForm(error);
  });
  if (part === undefined) throw noFile();
  checkName(part.filename);
  const stored = await readContent(request, part.file, (content) => put(content, ARTIFACT_BYTES_MAX));
  return { ...stored, name: part.filename, mediaType: part.mimetype };
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
