import type { MemberWithGroups } from '@gatehouse/client';
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { showFailure } from '../../../components/feedback/error-notification.tsx';
import { IconArrowDown, IconArrowUp } from '../../../components/icons/icons.ts';
import { KeyHint } from '../../../components/keyboard/key-hint.tsx';
import { IconAction } from '../../../components/layout/icon-action.tsx';
import { useShortcuts } from '../../../hooks/shortcuts/use-shortcuts.ts';
import { useTexts } from '../../../languages/texts.tsx';
import {
  type MemberList,
  type Neighbors,
  useMemberList,
  useNeighborsQuery,
} from '../../../queries/member-list.ts';
import { memberQuery } from '../../../queries/members/member.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useSite } from '../../../session/site.ts';

/** Go to the previous and the next member of the list from which the member was opened. */
export function NeighborButtons({ member }: { member: MemberWithGroups }) {
  const list = useMemberList();
  return list && <Buttons member={member} list={list} />;
}

function Buttons({ member, list }: { member: MemberWithGroups; list: MemberList }) {
  const t = useTexts('member');
  const query = useNeighborsQuery(list, member);
  const { data: neighbors } = useQuery(query);
  const goTo = useGoTo(list, query);
  usePrefetch([neighbors?.next, neighbors?.previous]);
  const previous = () => void goTo('previous').catch(showFailure);
  const next = () => void goTo('next').catch(showFailure);
  useShortcuts(
    [
      { keys: 'j', name: 'nextMember', run: next },
      { keys: 'k', name: 'previousMember', run: previous },
    ],
    'page',
  );
  return (
    <Group gap={4} wrap="nowrap">
      <IconAction
        icon={IconArrowUp}
        label={t('previous')}
        title={t('previous')}
        aria-keyshortcuts="k"
        disabled={neighbors !== undefined && neighbors.previous === undefined}
        onClick={previous}
      />
      <KeyHint keys="k" />
      <IconAction
        icon={IconArrowDown}
        label={t('next')}
        title={t('next')}
        aria-keyshortcuts="j"
        disabled={neighbors !== undefined && neighbors.next === undefined}
        onClick={next}
      />
      <KeyHint keys="j" />
    </Group>
  );
}

/** Opens a neighbor, once it is known. */
function useGoTo(list: MemberList, query: ReturnType<typeof useNeighborsQuery>) {
  const { client } = useSiteApi();
  const { slug } = useSite();
  const router = useRouter();
  return async (direction: keyof Neighbors) => {
    const { pathname } = router.latestLocation;
    const { [direction]: memberId } = await client.fetchQuery(query);
    const isElsewhere = router.latestLocation.pathname !== pathname;
    if (memberId === undefined || isElsewhere) return;
    await router.navigate({
      to: '/$site/members/$memberId',
      params: { site: slug, memberId },
      state: { memberList: list },
      // So that the browser's button leads back to the list.
      replace: true,
    });
  };
}

/** Loads the neighbors, so that they are shown at once. */
function usePrefetch(memberIds: readonly (string | undefined)[]): void {
  const api = useSiteApi();
  const all = memberIds.join(' ');
  useEffect(() => {
    for (const memberId of all.split(' ')) {
      if (memberId !== '') void api.client.prefetchQuery(memberQuery(api, memberId));
    }
  }, [all]);
}
