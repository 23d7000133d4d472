import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ContractError } from '@agentclash/contracts';

export interface FileAddress {
  workspaceId: string;
  artifactId: string;
}

/** URLs of stored files that are valid without a token, for a short time. */
export class SignedUrls {
  private readonly key: Buffer;

  constructor(
    key: string | undefined,
    private readonly lifetimeSeconds: number,
  ) {
    this.key = key === undefined ? randomBytes(32) : Buffer.from(key, 'base64');
  }

  /** Path and query, to be appended to the API's address. */
  sign(file: FileAddress): string {
    const expires = Math.floor(Date.now() / 1_000) + this.lifetimeSeconds;
    const query = new URLSearchParams({ expires: String(expires), signature: this.signature(file, expires) });
    return `/v1/workspaces/${file.workspaceId}/artifacts/${file.artifactId}/content?${query}`;
  }

  /**
   * Fails unless this installation signed the URL and it has not expired: with `unauthenticated` without a signature,
   * with `forbidden` with a wrong one.
   */
  check(file: FileAddress, { expires, signature }: { expires?: number; signature?: string }): void {
    if (expires === undefined || signature === undefined) {
      throw new ContractError('unauthenticated', 'Send a token, or use a signed address.');
    }
    const wanted = Buffer.from(this.signature(file, expires));
    const given = Buffer.from(signature);
    const isSigned = wanted.length === given.length && timingSafeEqual(wanted, given);
    if (isSigned && expires * 1_000 > Date.now()) return;
    throw new ContractError('forbidden', 'The address was not signed here, or has expired.');
  }

  private signature({ workspaceId, artifactId }: FileAddress, expires: number): string {
    return createHmac('sha256', this.key)
      .update(`${workspaceId}/${artifactId}/${expires}`)
      .digest('base64url');
  }
}
