import { routes } from '@agentclash/api';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../design/button.js';
import { formatBytes } from '../design/format.js';
import { Failure } from '../design/states.js';
import { useSession } from '../session/session.js';
import { InputValue } from './input-value.js';
import type { AssetParts, InputParts } from './read-case.js';

/** Larger files are not shown. */
const SHOWN_BYTES_MAX = 2 * 1024 * 1024;

interface StoredInputProps {
  input: Pick<InputParts, 'key' | 'kind' | 'path'>;
  asset: AssetParts;
}

/** An input or expectation whose value is a stored file: its name, and a button that loads and renders it by its kind. */
export function StoredInput({ input: { key, kind, path }, asset }: StoredInputProps) {
  const { client } = useSession();
  const { artifactId, mediaType } = asset;
  const isMember = path !== '' && path !== asset.path;
  const content = useMutation({
    mutationFn: async (artifact_id: string) => {
      const response = await client.call(routes.artifacts.content, { params: { artifact_id } });
      return await shownAs(await response.blob(), kind);
    },
  });
  return (
    <>
      <p>
        <code>{asset.path}</code> {mediaType} {isMember && 'member'} {isMember && <code>{path}</code>}
      </p>
      {artifactId !== undefined && !isMember && content.data === undefined && (
        <Button isBusy={content.isPending} onClick={() => content.mutate(artifactId)}>
          Show {key}
        </Button>
      )}
      {content.data !== undefined && <InputValue label={key} kind={kind} value={content.data} />}
      {content.error && <Failure error={content.error} />}
    </>
  );
}

async function shownAs(blob: Blob, kind: string): Promise<string> {
  if (blob.size > SHOWN_BYTES_MAX) return `Too large to show: ${formatBytes(blob.size)}`;
  return kind.toLowerCase() === 'image' ? await dataOf(blob) : await blob.text();
}

/** The content policy of the page allows images as `data:` URLs only. */
async function dataOf(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += 32_768) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  }
  const type = imageTypeOf(bytes);
  return type === undefined
    ? 'This file is not a PNG, JPEG, GIF or WebP image.'
    : `data:${type};base64,${btoa(binary)}`;
}

const SIGNATURES: readonly (readonly [type: string, first: readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46]],
];

/** By its first bytes: what the author declared may be anything. */
function imageTypeOf(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(([, first]) => first.every((byte, at) => bytes[at] === byte))?.[0];
}
