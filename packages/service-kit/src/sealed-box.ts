import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';

/** A sealed message, which only the recipient's private key opens. */
export interface SealedBox {
  encapsulated_base64: string;
  ciphertext_base64: string;
}

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
type KeyPair = Awaited<ReturnType<typeof suite.kem.generateKeyPair>>;
const INFO = new TextEncoder().encode('agentclash/vault/1');

/** Encrypts for one recipient (X25519 public key, base64), bound to `additionalData`. */
export async function sealFor(
  recipient: string,
  plaintext: Uint8Array,
  additionalData: string,
): Promise<SealedBox> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(
    arrayBuffer(Buffer.from(recipient, 'base64')),
  );
  const sender = await suite.createSenderContext({ recipientPublicKey, info: INFO.buffer });
  const ciphertext = await sender.seal(arrayBuffer(plaintext), arrayBuffer(Buffer.from(additionalData)));
  return {
    encapsulated_base64: Buffer.from(sender.enc).toString('base64'),
    ciphertext_base64: Buffer.from(ciphertext).toString('base64'),
  };
}

/** A fresh key pair for one request; the private half never leaves this object. */
export class SealedBoxKey {
  private constructor(
    private readonly pair: KeyPair,
    /** The public half, base64. */
    readonly publicKey: string,
  ) {}

  static async create(): Promise<SealedBoxKey> {
    const pair = await suite.kem.generateKeyPair();
    const bytes = await suite.kem.serializePublicKey(pair.publicKey);
    return new SealedBoxKey(pair, Buffer.from(bytes).toString('base64'));
  }

  /** Throws when the box was made for another key, another `additionalData`, or was altered. */
  async open(box: SealedBox, additionalData: string): Promise<Buffer> {
    const recipient = await suite.createRecipientContext({
      recipientKey: this.pair,
      enc: arrayBuffer(Buffer.from(box.encapsulated_base64, 'base64')),
      info: INFO.buffer,
    });
    const ciphertext = arrayBuffer(Buffer.from(box.ciphertext_base64, 'base64'));
    return Buffer.from(await recipient.open(ciphertext, arrayBuffer(Buffer.from(additionalData))));
  }
}

/** A buffer of exactly these bytes: Node's small buffers share a larger one. */
function arrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
