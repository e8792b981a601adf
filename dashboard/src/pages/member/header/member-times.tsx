import type { MemberWithGroups } from '@gatehouse/client';
import { Fragment, type ReactNode } from 'react';
import { Hint } from '../../../components/layout/hint.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';

/** When the member registered, logged in last, was seen last, and was added, on one line. */
export function MemberTimes({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const { registeredAt, lastLoginAt, lastSeenAt, createdAt } = member;
  const times: readonly (readonly [
    'registered' | 'lastLogin' | 'lastSeen' | 'added',
    string | null | undefined,
  ])[] = [
    ['registered', registeredAt],
    ['lastLogin', lastLoginAt],
    ['lastSeen', lastSeenAt],
    ['added', createdAt],
  ];
  const known = times.flatMap(([name, at]): ReactNode[] => {
    if (!at) return name === 'lastLogin' ? [t('neverLoggedIn')] : [];
    return [t.rich(name, { time: <TimeText at={at} /> })];
  });
  return (
    <Hint size="xs">
      {known.map((time, index) => (
        <Fragment key={index}>
          {index > 0 && ' · '}
          {time}
        </Fragment>
      ))}
    </Hint>
  );
}
