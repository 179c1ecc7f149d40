import type { Drafted } from './draft.ts';
import type { TimelineCall, TimelineSegment } from '../timeline.ts';

/** As many as no drawing shows one by one. */
const most = 1000;

/** Adds a piece of a text; those of one moment are one, and when there are too many, each two neighbours become one. */
export function addPiece(pieces: Drafted<TimelineSegment>['pieces'], at: number, characters: number): void {
  const last = pieces.at(-1);
  if (last?.at === at) last.characters += characters;
  else pieces.push({ at, characters });
  if (pieces.length <= most) return;
  let kept = 0;
  for (let i = 0; i < pieces.length; i += 2) {
    const piece = pieces[i]!;
    piece.characters += pieces[i + 1]?.characters ?? 0;
    pieces[kept++] = piece;
  }
  pieces.length = kept;
}

/** Adds a mark of progress; when there are too many, every second one goes. */
export function addProgress(call: Drafted<TimelineCall>, at: number, value: () => string): void {
  call.progressCount++;
  const { progress } = call;
  progress.push({ at, value: value() });
  if (progress.length > most) progress.splice(0, progress.length, ...progress.filter((_, place) => place % 2 === 0));
}
