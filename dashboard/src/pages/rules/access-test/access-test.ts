import { useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { PickedMember } from '../../../components/members/member-picker.tsx';
import { useMemberById } from '../../../queries/by-id.ts';

/** What the operator tests. */
export interface TestFields {
  /** A path, or a whole URL. */
  typed: string;
  /** The domain of a host; null for the primary one. It does not count for a whole URL. */
  host: string | null;
  /** The visitor; null if not logged in, undefined for the one in the URL of the dashboard. */
  member: PickedMember | null | undefined;
  ipAddress: string;
  /** Whether a CORS preflight is tested, which has no member. */
  preflight: boolean;
  /** The path of a page whose files are checked. */
  checkedPage?: string;
  /** The page codes that the visitor has entered. */
  pageCodeIds: string[];
}

export type AccessTest = ReturnType<typeof useAccessTest>;

/** The fields of the test. A link to the page fills in a path and a member. */
export function useAccessTest() {
  const linked = useSearch({ from: '/$site/rules' });
  const [link, setLink] = useState(linked);
  const [fields, setFields] = useState(() => startWith(linked.path));
  if (link.path !== linked.path || link.memberId !== linked.memberId) {
    setLink(linked);
    setFields(startWith(linked.path));
  }
  const linkedMember = useMemberById(linked.memberId);
  const path = useRef<HTMLInputElement>(null);
  const set = (changed: Partial<TestFields>) => setFields((before) => ({ ...before, ...changed }));
  const isLinked = fields.member === undefined;
  return {
    fields,
    set,
    /** The field for the path. */
    path,
    member: isLinked ? (linkedMember ?? null) : (fields.member ?? null),
    memberId: isLinked ? linked.memberId : fields.member?.id,
    /** Tests another path, with the same visitor. */
    open(typed: string, host: string | null): void {
      set({ typed, host });
      path.current?.focus();
    },
  };
}

function startWith(path: string = '/'): TestFields {
  return { typed: path, host: null, member: undefined, ipAddress: '', preflight: false, pageCodeIds: [] };
}
