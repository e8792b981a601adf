import { useCallback, useState } from 'react';

/** The ids of some members, or all matching members except some. */
export type Selection =
  | { all: false; members: ReadonlySet<string> }
  | { all: true; except: ReadonlySet<string> };

export const noSelection: Selection = { all: false, members: new Set() };
export const everybody: Selection = { all: true, except: new Set() };

/**
 * The selection. Selecting all matching members ends when the filter changes; individually selected members remain
 * selected.
 */
export function useSelection(question: string) {
  const [state, setState] = useState({ requested: question, selection: noSelection });
  const change = useCallback(
    (next: (selection: Selection) => Selection) =>
      setState((known) => ({ requested: question, selection: next(inForce(known, question)) })),
    [question],
  );
  return {
    selection: inForce(state, question),
    /** Selects or deselects members: all of them as the last one, which is the opposite of what it was. */
    toggle: useCallback((ids: readonly string[]) => change((selection) => toggle(selection, ids)), [change]),
    selectAll: useCallback(() => change(() => everybody), [change]),
    clear: useCallback(() => change(() => noSelection), [change]),
  };
}

function inForce(
  { requested, selection }: { requested: string; selection: Selection },
  question: string,
): Selection {
  return selection.all && requested !== question ? noSelection : selection;
}

export function isSelected(selection: Selection, id: string): boolean {
  return selection.all ? !selection.except.has(id) : selection.members.has(id);
}

export function isAnybodySelected(selection: Selection): boolean {
  return selection.all || selection.members.size > 0;
}

/** Selects members, or deselects them if the last of them is selected. */
export function toggle(selection: Selection, ids: readonly string[]): Selection {
  const isAdded = !isSelected(selection, ids.at(-1)!);
  const listed = new Set(selection.all ? selection.except : selection.members);
  for (const id of ids) {
    if (isAdded === selection.all) listed.delete(id);
    else listed.add(id);
  }
  return selection.all ? { all: true, except: listed } : { all: false, members: listed };
}
