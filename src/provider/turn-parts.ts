/** What is kept of a part beside its content. */
export type PartExtra = Readonly<Record<string, unknown>>;

/**
 * One part of an answer, in the order in which the model wrote it. Text and calls are in the message already, so that only
 * the text's length and the call's id are kept; what is in neither is kept as it is.
 */
export type TurnPart =
  | { readonly type: 'text'; readonly length: number; readonly extra?: PartExtra }
  | { readonly type: 'call'; readonly id: string; readonly extra?: PartExtra }
  | { readonly type: 'kept'; readonly part: unknown };

/** Follows the parts of an answer that streams. */
export interface TurnParts {
  text(length: number): void;
  call(id: string): void;
  /** Returns how it is replaced in its place, once it is whole: what was told of the parts before does not change. */
  keep(part: unknown): (whole: unknown) => void;
  /** Keeps something with the last part, unless that is kept as it is. */
  mark(extra: PartExtra): void;
  /** The next text is a part of its own. */
  close(): void;
  /** The parts so far, when the message does not say as much; plain JSON. */
  kept(): readonly TurnPart[] | undefined;
}

export function turnParts(): TurnParts {
  const parts: TurnPart[] = [];
  /** How long the last part has become, while it is a text that goes on: a part is made once, not once a token. */
  let openLength: number | undefined;
  /** Whether the text comes in one part, before the calls: then the message tells it all. */
  let isPlain = true;

  const close = () => {
    if (openLength === undefined) return;
    parts.push({ type: 'text', length: openLength });
    openLength = undefined;
  };
  return {
    text(length) {
      isPlain &&= parts.length === 0;
      openLength = (openLength ?? 0) + length;
    },
    call(id) {
      close();
      parts.push({ type: 'call', id });
    },
    keep(part) {
      close();
      isPlain = false;
      const place = parts.push({ type: 'kept', part }) - 1;
      return (whole) => {
        parts[place] = { type: 'kept', part: whole };
      };
    },
    mark(extra) {
      close();
      const last = parts.pop();
      if (!last) return;
      parts.push(last.type === 'kept' ? last : { ...last, extra: { ...last.extra, ...extra } });
      isPlain = false;
    },
    close,
    kept() {
      if (isPlain) return undefined;
      return openLength === undefined ? [...parts] : [...parts, { type: 'text', length: openLength }];
    },
  };
}
