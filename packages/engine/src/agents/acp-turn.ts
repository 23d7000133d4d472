import type { AcpUpdate } from '../replies/acp-message.js';

/** The text of an agent's turn, from its updates: its last message, where tool calls end a message. */
export class AcpTurn {
  private message = '';
  private earlier = '';
  /** Bytes of the longest message so far. */
  bytes = 0;
  private messageBytes = 0;

  get text(): string {
    return this.message.trim() === '' ? this.earlier : this.message;
  }

  update(update: AcpUpdate['update']): void {
    if (update === 'tool_call') this.endMessage();
    else this.extend(update.text);
  }

  private extend(text: string): void {
    this.message += text;
    this.messageBytes += Buffer.byteLength(text);
    this.bytes = Math.max(this.bytes, this.messageBytes);
  }

  private endMessage(): void {
    this.earlier = this.text;
    this.message = '';
    this.messageBytes = 0;
  }
}
