import type { JsonValue } from '@agentclash/challengepack';
import type { FinishReason } from '@agentclash/domain';
import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import type { ModelRequest, ProposedCall } from '../model/model.js';
import type { AssistantPart } from './continuation.js';
import { sendableInput } from './prompt.js';

type PartOf<T extends LanguageModelV3StreamPart['type']> = Extract<LanguageModelV3StreamPart, { type: T }>;
type Delta = PartOf<'text-delta' | 'reasoning-delta' | 'tool-input-delta'>;

/** One piece of the reply, in the order in which the pieces began. */
interface Piece {
  type: 'text' | 'reasoning' | 'call';
  id: string;
  text: string;
  /** Set when a call is complete. */
  call?: ProposedCall;
  metadata?: SharedV3ProviderMetadata;
}

/** The longest reply; the rest of the stream is not read. */
const REPLY_CHARS_MAX = 16 * 1024 * 1024;

const FINISHES: Partial<Record<LanguageModelV3FinishReason['unified'], FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
};

/** A reply that is assembled from the parts of its stream. */
export class GatheredReply {
  responseId: string | null = null;
  responseModel: string | null = null;
  finish: { reason: FinishReason; raw: string | undefined; usage: LanguageModelV3Usage } | undefined;
  private readonly pieces: Piece[] = [];
  private readonly open = new Map<string, Piece>();
  private characters = 0;

  constructor(private readonly options: Pick<ModelRequest, 'onDelta'> & { onFirstFragment: () => void }) {}

  /** Parts without content for the reply are ignored. */
  add(part: LanguageModelV3StreamPart): void {
    if (part.type === 'text-delta') this.grow('text', part);
    else if (part.type === 'reasoning-delta') this.grow('reasoning', part);
    else if (part.type === 'tool-input-start') this.startCall(part);
    else if (part.type === 'tool-input-delta') this.grow('call', part);
    else if (part.type === 'tool-call') this.finishCall(part);
    else if (part.type === 'response-metadata') this.identify(part);
    else if (part.type === 'raw') this.readRaw(part.rawValue);
    else if (part.type === 'finish') this.end(part);
    else if (part.type === 'text-start' || part.type === 'text-end') this.sign('text', part);
    else if (part.type === 'reasoning-start' || part.type === 'reasoning-end') this.sign('reasoning', part);
  }

  get isFull(): boolean {
    return this.characters >= REPLY_CHARS_MAX;
  }

  /** True when the provider has sent any content or identity yet. */
  get hasBegun(): boolean {
    return this.pieces.length > 0 || this.responseId !== null || this.responseModel !== null;
  }

  get text(): string {
    return this.pieces.flatMap(({ type, text }) => (type === 'text' ? text : [])).join('');
  }

  get toolCalls(): ProposedCall[] {
    return this.pieces.flatMap(({ call }) => call ?? []);
  }

  /** The reply as parts of a history; incomplete calls are omitted. */
  get parts(): AssistantPart[] {
    return this.pieces.flatMap(({ type, text, call, metadata }): AssistantPart[] => {
      const signed = metadata === undefined ? {} : { providerOptions: metadata };
      if (type !== 'call') return text === '' && metadata === undefined ? [] : [{ type, text, ...signed }];
      if (call === undefined) return [];
      const { id, name, arguments: args } = call;
      return [{ type: 'tool-call', toolCallId: id, toolName: name, input: sendableInput(args), ...signed }];
    });
  }

  private grow(type: Piece['type'], { id, delta, providerMetadata }: Delta): void {
    const piece = this.piece(type, id);
    if (type !== 'call') piece.metadata = providerMetadata ?? piece.metadata;
    if (delta === '') return;
    // The end of a call carries its complete arguments.
    if (type !== 'call') piece.text += delta;
    this.characters += delta.length;
    this.options.onFirstFragment();
    this.options.onDelta?.({ kind: type === 'call' ? 'tool_call' : type, text: delta });
  }

  private startCall({ id }: PartOf<'tool-input-start'>): void {
    this.piece('call', id);
    this.options.onFirstFragment();
  }

  private finishCall({ toolCallId: id, toolName: name, input, providerMetadata }: PartOf<'tool-call'>): void {
    const piece = this.piece('call', id);
    this.open.delete(`call ${id}`);
    piece.call = { id, name, arguments: readArguments(input) };
    piece.metadata = providerMetadata;
    this.options.onFirstFragment();
  }

  private sign(
    type: 'text' | 'reasoning',
    part: PartOf<'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'>,
  ): void {
    const piece = this.piece(type, part.id);
    piece.metadata = part.providerMetadata ?? piece.metadata;
    if (part.type.endsWith('-end')) this.open.delete(`${type} ${part.id}`);
  }

  private identify({ id, modelId }: PartOf<'response-metadata'>): void {
    this.responseId ??= id ?? null;
    this.responseModel ??= modelId ?? null;
  }

  /** Google names the model only in its own chunks. */
  private readRaw(chunk: unknown): void {
    if (typeof chunk !== 'object' || chunk === null || !('modelVersion' in chunk)) return;
    if (typeof chunk.modelVersion === 'string') this.responseModel ??= chunk.modelVersion;
  }

  private end({ finishReason, usage }: PartOf<'finish'>): void {
    const reason = FINISHES[finishReason.unified] ?? 'other';
    this.finish = { reason, raw: finishReason.raw, usage };
  }

  private piece(type: Piece['type'], id: string): Piece {
    const key = `${type} ${id}`;
    const known = this.open.get(key);
    if (known !== undefined) return known;
    const piece: Piece = { type, id, text: '' };
    this.open.set(key, piece);
    this.pieces.push(piece);
    return piece;
  }
}

/** Invalid JSON stays text: the model's mistake. Empty text means no arguments. */
function readArguments(input: string): JsonValue {
  if (input.trim() === '') return {};
  try {
    const value: JsonValue = JSON.parse(input);
    return value;
  } catch {
    return input;
  }
}
