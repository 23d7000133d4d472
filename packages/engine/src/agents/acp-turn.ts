import { type Payload, recordIn, recordsIn, textIn } from '@agentclash/domain';

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

  update(update: Payload): void {
    const kind = textIn(update, 'sessionUpdate');
    if (kind === 'tool_call') this.endMessage();
    else if (kind === 'agent_message_chunk') {
      this.extend(textIn(recordIn(update, 'content') ?? {}, 'text') ?? '');
    }
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

const ALLOWING = ['allow_once', 'allow_always'];

/** The response to a request for a permission: the sandbox is the limit of an agent, not its own requests. */
export function grantedPermission(params: Payload): object {
  const options = recordsIn(params, 'options');
  const granted = ALLOWING.flatMap((kind) => options.filter((option) => option.kind === kind));
  const optionId = granted.map((option) => textIn(option, 'optionId')).find((id) => id !== undefined);
  return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
}
