import type { ChatRequest } from '../chat/chat-request.ts';
import type { JsonPlace } from './frame-parser.ts';
import type { Framing } from './framing.ts';
import type { Turn } from './turn.ts';

/** What one provider's API is like: how a request is written, and how its answer is read. */
export interface Wire {
  /** What the model and its errors say the provider is. */
  readonly provider: string;
  /** The API's name, for errors: the Messages API. */
  readonly api: string;
  readonly framing: Framing;
  /** What the last event of a whole turn is, for the error when it does not come. */
  readonly lastEvent: string;
  /** Where in an event a text stands that may be all in which it differs from the event before; for speed alone. */
  readonly growingTexts?: readonly JsonPlace[];
  /** Under which attribute of the answer its parts are kept for the next request; none where the wire has no parts. */
  readonly partsKey?: string;
  /** The headers that this API wants, with the key where there is one. */
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /** Where the request goes, behind the base URL. */
  path(request: ChatRequest): string;
  /** The request as JSON text; throws a `ChatModelError` on what can't be said in it. */
  body(request: ChatRequest): string;
  /** A tool's name as this API takes it: itself where it does. */
  toolName(name: string): string;
  /** A reader of one answer, which tells the turn what it reads. */
  reader(turn: Turn): WireReader;
}

export interface WireReader {
  /**
   * Reads one JSON object of the stream; `true` when it was the last of the turn. Throws a `ChatModelError` on one that fails
   * the turn. `event`: the name that the framing gives it; `text`: the object as it was written, with all its digits.
   */
  read(json: object, event?: string, text?: string): boolean;
  /** The failure that an object tells in this wire's own way; `undefined` in an object of an answer. */
  failureIn?(json: object, event?: string): unknown;
  /** The stream is over: what was held back comes out. `isWhole`: the wire said that it was over. */
  end?(isWhole: boolean): void;
}
