import type { Session, UpdateMember } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { useMemberChange } from '../../components/members/use-member-change.ts';
import { useConflictQuestion } from '../../hooks/use-conflict-question.ts';
import { isAboutFields, readFieldErrors } from '../../hooks/use-form-errors.ts';
import { useTexts } from '../../languages/texts.tsx';
import type { SavedMember } from '../../queries/members/member.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import { changeFields, isConflict, versionOf } from '../../queries/version.ts';
import { useGatehouse } from '../../session/site.ts';
import type { ValueError } from './editable-text.tsx';

/** The query for the sessions of a member. */
export function useSessionsQuery(memberId: string) {
  const { gatehouse, keys } = useSiteApi();
  return queryOptions({
    queryKey: keys.members.sessions(memberId),
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.members.sessions.list(memberId, {}, { signal })),
  });
}

/** When the member was last seen in one of these sessions. */
export function lastSeenIn(sessions: readonly Session[]): string | undefined {
  return sessions
    .map(({ lastSeenAt }) => lastSeenAt)
    .toSorted()
    .at(-1);
}

/** The query for the access tokens of a member. */
export function useAccessTokensQuery(memberId: string) {
  const { gatehouse, keys } = useSiteApi();
  return queryOptions({
    queryKey: keys.members.accessTokens(memberId),
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.members.accessTokens.list(memberId, {}, { signal })),
  });
}

/** The query for the passkeys of a member. */
export function usePasskeysQuery(memberId: string) {
  const { gatehouse, keys } = useSiteApi();
  return queryOptions({
    queryKey: keys.members.passkeys(memberId),
    queryFn: ({ signal }) => gatehouse.members.passkeys.list(memberId, { signal }),
  });
}

/** The query for the accounts at login providers that a member has linked. */
export function useIdentitiesQuery(memberId: string) {
  const { gatehouse, keys } = useSiteApi();
  return queryOptions({
    queryKey: keys.members.identities(memberId),
    queryFn: ({ signal }) => gatehouse.members.identities.list(memberId, { signal }),
  });
}

/** The query for what the rules of the site decide about a member. */
export function useAccessQuery(memberId: string) {
  const { gatehouse, keys } = useSiteApi();
  return queryOptions({
    queryKey: keys.rules.ofMember(memberId),
    queryFn: ({ signal }) => gatehouse.members.access.list(memberId, { signal }),
  });
}

/**
 * Changes one field of the member as it was loaded, and asks what to do if another operator has changed that field.
 * Resolves to whether the page should show the saved version, or why the value was rejected.
 */
export function useFieldChange(base: SavedMember) {
  const t = useTexts('member');
  const { members } = useGatehouse();
  const { id } = base.data;
  const change = useMemberChange(id);
  const confirmOnConflict = useConflictQuestion();
  const send = (over: SavedMember, to: UpdateMember) =>
    changeFields({
      base: over,
      fields: Object.keys(to) as (keyof UpdateMember)[],
      read: () => versionOf(members.get(id)),
      send: (etag) => versionOf(members.update(id, to, { ifMatch: etag })),
    });

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
      isHandled: (error) => {
        failure = error;
        return isConflict(error) || isAboutFields(error, fieldOf);
      },
    });
    const { errors } = await readFieldErrors(failure, fieldOf);
    const [sentence] = Object.values(errors);
    if (sentence !== undefined) return { sentence, error: failure };
    return isDone || (isConflict(failure) && confirmOnConflict(t('staleTitle')));
  };
}
