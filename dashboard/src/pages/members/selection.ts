import type { Member } from '@gatehouse/client';
import { useState } from 'react';

/** Some members, or all that match but some. */
export type Selection =
  | { all: false; members: ReadonlyMap<string, Member> }
  | { all: true; except: ReadonlySet<string> };

const nobody: Selection = { all: false, members: new Map() };

/** Who is selected. All who match are no longer so when the question becomes another one; those ticked one by one stay. */
export function useSelection(question: string) {
  const [{ asked, selection }, setState] = useState({ asked: question, selection: nobody });
  const current = selection.all && asked !== question ? nobody : selection;
  const set = (next: Selection) => setState({ asked: question, selection: next });
  return {
    selection: current,
    toggle: (member: Member) => set(toggle(current, member)),
    selectAll: () => set({ all: true, except: new Set() }),
    clear: () => set(nobody),
  };
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
  const members = new Map(selection.members);
  if (!members.delete(member.id)) members.set(member.id, member);
  return { all: false, members };
}
