import { Observable, type OperatorFunction } from 'rxjs';

/** Bytes to text with one decoder for the whole stream, so that a character cut in two by a chunk's end stays whole. A byte order mark is dropped. */
export function decodeText(): OperatorFunction<Uint8Array, string> {
  return (source) =>
    new Observable((subscriber) => {
      const decoder = new TextDecoder();
      return source.subscribe({
        next: (bytes) => subscriber.next(decoder.decode(bytes, { stream: true })),
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          const rest = decoder.decode();
          if (rest) subscriber.next(rest);
          subscriber.complete();
        },
      });
    });
}
