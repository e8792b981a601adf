import type { MemberWithGroups, UpdateMember } from '@gatehouse/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTexts } from '../../languages/texts.tsx';
import { isAboutFields, readFieldErrors } from '../../parts/form-errors.ts';
import { membershipKey } from '../../parts/memberships.ts';
import { useStaleQuestion } from '../../parts/stale.ts';
import { useUndoable } from '../../parts/undoable.tsx';
import { changeFields, isStale, toVersion, type Version } from '../../parts/version.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import type { ValueError } from './editable-text.tsx';

export type SavedMember = Version<MemberWithGroups>;

/** The member of the page. */
export function useMember(memberId: string) {
  const site = useSite();
  const gatehouse = useGatehouse();
  return useQuery({
    queryKey: memberKey(site.id, memberId),
    queryFn: async ({ signal }): Promise<SavedMember> =>
      toVersion(await gatehouse.members.get(memberId, { signal }).withResponse()),
  });
}

/** How to ask for the browsers in which a member is logged in. */
export function useSessionsQuery(memberId: string) {
  const site = useSite();
  const gatehouse = useGatehouse();
  return queryOptions({
    queryKey: [site.id, 'members', 'sessions', memberId],
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.members.sessions.list(memberId, {}, { signal })),
  });
}

/** Does something to a member: seen at once, with undo. Answers whether it was done. */
export function useMemberChange(memberId: string) {
  const site = useSite();
  const change = useUndoable();
  return (what: {
    done: string;
    send: () => Promise<unknown>;
    undo?: () => Promise<unknown>;
    /** What the member is like afterwards. */
    becomes?: Partial<MemberWithGroups>;
    isTold?: (error: unknown) => boolean;
  }) => {
    const { becomes, ...rest } = what;
    return change({
      ...rest,
      optimistic: becomes
        ? [
            {
              queryKey: memberKey(site.id, memberId),
              replace: (saved: SavedMember) => ({ ...saved, data: { ...saved.data, ...becomes } }),
            },
          ]
        : [],
      concerns: [
        ...['members', 'groups', 'events', 'overview', 'mails'].map((name) => [site.id, name]),
        membershipKey(site.id, memberId),
      ],
    });
  };
}

/**
 * Changes one field of the member as it was read, and asks if somebody else has changed that meanwhile. Answers whether
 * the page is to show what is saved now, or why the value was refused.
 */
export function useFieldChange(base: SavedMember) {
  const t = useTexts('member');
  const { members } = useGatehouse();
  const { id } = base.data;
  const change = useMemberChange(id);
  const askWhenStale = useStaleQuestion();
  const send = async (over: SavedMember, to: UpdateMember) =>
    toVersion(
      await changeFields({
        base: over,
        fields: Object.keys(to) as (keyof UpdateMember)[],
        read: async () => toVersion(await members.get(id).withResponse()),
        send: (etag) => members.update(id, to, { ifMatch: etag }).withResponse(),
      }),
    );

  return async (done: string, to: UpdateMember, from: UpdateMember): Promise<boolean | ValueError> => {
    const [field] = Object.keys(to);
    let changed = base;
    let failure: unknown;
    const fieldOf = (pointer: string) => (pointer === `/${field}` ? field : undefined);
    const isDone = await change({
      done,
      send: async () => {
        changed = await send(base, to);
      },
      undo: () => send(changed, from),
      isTold: (error) => {
        failure = error;
        return isStale(error) || isAboutFields(error, fieldOf);
      },
    });
    const { errors } = await readFieldErrors(failure, fieldOf);
    const [sentence] = Object.values(errors);
    if (sentence !== undefined) return { sentence, error: failure };
    return isDone || (isStale(failure) && askWhenStale(t('staleTitle')));
  };
}

function memberKey(siteId: string, memberId: string) {
  return [siteId, 'members', 'one', memberId];
}
