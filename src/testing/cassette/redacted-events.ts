import type { TapedEvent } from './cassette.ts';
import { redactTexts } from './taped-request.ts';

/** The property of an event that is a piece of a longer text. */
const pieceKeys = { partialThinking: 'text', partialResponse: 'text', partialToolCall: 'partialArguments' } as const;

type Piece = Extract<TapedEvent, { readonly type: keyof typeof pieceKeys }>;

/** Redacts the events of one answer, and also what is a secret only when its pieces are joined. */
export function redactedEvents(events: readonly TapedEvent[], redact: (text: string) => string): readonly TapedEvent[] {
  const texts = new Map<string, number[]>();
  events.forEach((event, place) => {
    if (!isPiece(event)) return;
    const text = event.type === 'partialToolCall' ? `call ${event.index}` : event.type;
    const places = texts.get(text);
    if (places) places.push(place);
    else texts.set(text, [place]);
  });
  const result = events.map((event) => redactTexts(event, redact) as TapedEvent);
  for (const places of texts.values()) {
    const pieces = places.map((place) => pieceOf(events[place] as Piece));
    redactedPieces(pieces, redact).forEach((piece, i) => {
      const event = result[places[i]!] as Piece;
      result[places[i]!] = { ...event, [pieceKeys[event.type]]: piece };
    });
  }
  return result;
}

function isPiece(event: TapedEvent): event is Piece {
  return event.type in pieceKeys;
}

function pieceOf(event: Piece): string {
  return event.type === 'partialToolCall' ? event.partialArguments : event.text;
}

/** Pieces whose join is the redacted text: where a secret spans some of them, all between its ends goes into the first. */
function redactedPieces(pieces: readonly string[], redact: (text: string) => string): readonly string[] {
  const each = pieces.map(redact);
  const text = pieces.join('');
  const whole = redact(text);
  if (each.join('') === whole) return each;
  let from = 0;
  while (from < text.length && text[from] === whole[from]) from++;
  let behind = 0;
  const most = Math.min(text.length, whole.length) - from;
  while (behind < most && text[text.length - 1 - behind] === whole[whole.length - 1 - behind]) behind++;
  const to = text.length - behind;
  let insert = whole.slice(from, whole.length - behind);
  let start = 0;
  return pieces.map((piece, place) => {
    const begin = start;
    start += piece.length;
    const [head, tail] = [piece.slice(0, Math.max(0, from - begin)), piece.slice(Math.max(0, to - begin))];
    if (start <= from && place < pieces.length - 1) return head + tail;
    const inserted = insert;
    insert = '';
    return head + inserted + tail;
  });
}
