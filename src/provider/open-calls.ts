import { isIndexed, isRestOf, isUnfinished, isWhole, opensAnother, type OpenCall, type ToolCallFragment } from './open-call.ts';

/** The calls of a turn. Servers tell them apart by place, by id, by name, or not at all. */
export interface OpenCalls {
  /** In order of first sight. */
  readonly all: readonly OpenCall[];
  /** The call that a piece belongs to; `undefined` where it is none of these. */
  find(fragment: ToolCallFragment): OpenCall | undefined;
  /** The call that was opened at this index of the wire. */
  at(index: number): OpenCall | undefined;
  hasId(wireId: string): boolean;
  add(call: OpenCall, fragment: ToolCallFragment): void;
}

export function openCalls(): OpenCalls {
  const all: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  /** Where an id is repeated, the last call that has it. */
  const byWireId = new Map<string, OpenCall>();
  /** The call spoken of last: pieces that name no call belong to it. */
  let latest: OpenCall | undefined;

  const atPlace = ({ index, id, name }: ToolCallFragment): OpenCall | undefined => {
    const placed = byIndex.get(index!);
    if (placed || id || name) return placed;
    // A place where no call was opened: some servers count pieces instead of calls. It can't be told whose it is but the last one's.
    const last = all.at(-1);
    return last && isUnfinished(last) ? last : undefined;
  };

  const byId = (fragment: ToolCallFragment): OpenCall | undefined => {
    const placed = atPlace(fragment);
    if (placed?.wireId === fragment.id) return placed;
    const named = byWireId.get(fragment.id!);
    // What an id says of a call that is known counts more than the place.
    if (!fragment.name) return named ?? placed;
    if (placed && (!placed.wireId || isRestOf(placed, fragment))) return placed;
    // An id with a name is another call though the index is taken: bridges give every call the index 0.
    return placed || (named && isRestOf(named, fragment)) ? named : undefined;
  };

  /** An id that comes behind the call's name, on a wire without places, belongs to the call that has none. */
  const lateId = ({ id, name }: ToolCallFragment): OpenCall | undefined => {
    if (name || !latest || latest.wireId !== undefined || isWhole(latest)) return undefined;
    byWireId.set(id!, latest);
    return latest;
  };

  const spokenOf = (fragment: ToolCallFragment): OpenCall | undefined => {
    const { id } = fragment;
    if (isIndexed(fragment)) return id ? byId(fragment) : atPlace(fragment);
    return id ? (byWireId.get(id) ?? lateId(fragment)) : latest;
  };

  return {
    all,
    find(fragment) {
      const known = spokenOf(fragment);
      if (!known || opensAnother(known, fragment)) return undefined;
      if (isIndexed(fragment) && (fragment.id || fragment.name)) byIndex.set(fragment.index!, known);
      return (latest = known);
    },
    at: (index) => byIndex.get(index),
    hasId: (wireId) => byWireId.has(wireId),
    add(call, fragment) {
      all.push(call);
      if (call.wireId !== undefined) byWireId.set(call.wireId, call);
      if (isIndexed(fragment)) byIndex.set(fragment.index!, call);
      latest = call;
    },
  };
}
