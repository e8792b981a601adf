import type { Member } from '@gatehouse/client';
import { useCallback, useState } from 'react';

/** The ids of some members, or all matching members except some. */
export type Selection =
  | { all: false; members: ReadonlySet<string> }
  | { all: true; except: ReadonlySet<string> };

const emptySelection: Selection = { all: false, members: new Set() };

/**
 * The selection. Selecting all matching members ends when the filter changes; individually selected members remain
 * selected.
 */
export function useSelection(question: string) {
  const [state, setState] = useState({ requested: question, selection: emptySelection });
  const change = useCallback(
    (next: (selection: Selection) => Selection) =>
      setState((known) => ({ requested: question, selection: next(inForce(known, question)) })),
    [question],
  );
  return {
    selection: inForce(state, question),
    toggle: useCallback((member: Member) => change((selection) => toggle(selection, member)), [change]),
    selectAll: () => change(() => ({ all: true, except: new Set() })),
    clear: () => change(() => emptySelection),
  };
}

function inForce(
  { requested, selection }: { requested: string; selection: Selection },
  question: string,
): Selection {
  return selection.all && requested !== question ? emptySelection : selection;
}

export function isSelected(selection: Selection, id: string): boolean {
  return selection.all ? !selection.except.has(id) : selection.members.has(id);
}

export function isAnybodySelected(selection: Selection): boolean {
  return selection.all || selection.members.size > 0;
}

function toggle(selection: Selection, member: Member): Selection {
  if (selection.all) {
    const except = new Set(selection.except);
    if (!except.delete(member.id)) except.add(member.id);
    return { all: true, except };
  }
  const members = new Set(selection.members);
  if (!members.delete(member.id)) members.add(member.id);
  return { all: false, members };
}
