import { invalidOption } from '../chat/option-checks.ts';

/** The marks between which a model puts its thinking into its text, as in `['<think>', '</think>']`. */
export type ThinkingTags = readonly [open: string, close: string];

export interface SpokenText {
  text(piece: string): void;
  /** Nothing more will follow what may be the beginning of a tag. */
  flush?(): void;
}

/**
 * Tells thinking from text by its tags, wherever a tag is cut, and however often the model thinks. What may be the
 * beginning of a tag is held back until it is known. Blanks before the text, at its start and behind thinking, are left
 * out; the blanks within text and all that stands between the tags come as they are. Without a closing tag, all that
 * follows is thinking.
 */
export function thinkingTags(
  [open, close]: ThinkingTags,
  sink: { text(piece: string): void; thinking(piece: string): void },
): SpokenText {
  /** What may be the beginning of the tag that is looked for. */
  let held = '';
  let isThinking = false;
  let isBeforeText = true;

  const tell = (piece: string) => {
    const said = isBeforeText && !isThinking ? piece.trimStart() : piece;
    if (!said) return;
    if (isThinking) return sink.thinking(said);
    isBeforeText = false;
    sink.text(said);
  };
  return {
    text(piece) {
      let rest = held + piece;
      for (;;) {
        const tag = isThinking ? close : open;
        const place = rest.indexOf(tag);
        if (place < 0) {
          held = beginningAtEnd(rest, tag);
          return tell(rest.slice(0, rest.length - held.length));
        }
        tell(rest.slice(0, place));
        rest = rest.slice(place + tag.length);
        isThinking = !isThinking;
        isBeforeText = true;
      }
    },
    flush() {
      const rest = held;
      held = '';
      tell(rest);
    },
  };
}

/** The longest end of the text with which the tag begins. */
function beginningAtEnd(text: string, tag: string): string {
  // Looked for by its first letter: most pieces don't have it.
  const first = tag.charAt(0);
  let place = text.indexOf(first, Math.max(0, text.length - tag.length + 1));
  while (place >= 0 && !tag.startsWith(text.slice(place))) place = text.indexOf(first, place + 1);
  return place < 0 ? '' : text.slice(place);
}

/** Throws a `ConfigurationError` unless these are two different texts. */
export function checkThinkingTags(where: string, tags: unknown): void {
  if (tags === undefined) return;
  const isPair = Array.isArray(tags) && tags.length === 2 && tags.every((tag) => typeof tag === 'string' && tag.trim());
  if (!isPair || tags[0] === tags[1]) {
    throw invalidOption(where, 'thinkingTags', tags, "it must be two different texts, as in ['<think>', '</think>']");
  }
}
