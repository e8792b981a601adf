import type { Operator, Permission } from '@gatehouse/client';
import { grants, rolePermissions } from '@gatehouse/contract/permissions';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, use } from 'react';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { siteKeys } from '../../queries/keys.ts';
import { SiteContext } from '../../session/site.ts';

const maxPeople = 3;

interface ContactProps {
  /** What the operator's role does not allow; left out if only the owners certainly can do it. */
  needs?: readonly Permission[];
  /** Whether a text before it does not say yet that the role does not allow changes. */
  isReadOnly?: boolean;
}

/** Names the operators who can do what the operator's own role does not allow. */
export function Contact({ needs, isReadOnly = false }: ContactProps) {
  const t = useTexts('errors');
  const people = usePeople(needs);
  if (people === undefined) return null;
  return (
    <Text component="span" size="sm">
      {t.rich(isReadOnly ? 'readOnly' : 'contact', {
        people: people.length > 0 ? <Names people={people} /> : t('anOwner'),
      })}
    </Text>
  );
}

function Names({ people }: { people: readonly Operator[] }) {
  const list = new Intl.ListFormat(locale, { type: 'disjunction' });
  // The separators of the language, with links in place of the numbers.
  return list
    .formatToParts(people.map((_, index) => String(index)))
    .map(({ type, value }, index): ReactNode => {
      if (type === 'literal') return <Fragment key={index}>{value}</Fragment>;
      const { email, displayName } = people[Number(value)]!;
      return (
        <Anchor key={index} href={`mailto:${email}`} title={email} underline="always">
          {displayName ?? email}
        </Anchor>
      );
    });
}

/** Empty if they cannot be listed, or this is no page of a site; undefined while loading. */
function usePeople(needs: readonly Permission[] | undefined): readonly Operator[] | undefined {
  const shown = use(SiteContext);
  const { data, isPending } = useQuery({
    queryKey: siteKeys(shown?.site.id).operators,
    queryFn: ({ signal }) =>
      Array.fromAsync(shown!.session.gatehouse.operators.list({ limit: 100 }, { signal })),
    enabled: shown !== undefined,
  });
  if (!shown) return [];
  if (isPending) return undefined;
  const able = (data ?? []).filter(({ role }) =>
    needs ? needs.every((each) => grants(rolePermissions[role], each)) : role === 'owner',
  );
  return able.toSorted((one, other) => orderOf(one) - orderOf(other)).slice(0, maxPeople);
}

/** The owners come first. Those who have never logged in may not have read their invitation. */
function orderOf({ role, lastLoginAt }: Operator): number {
  return (lastLoginAt === null ? 2 : 0) + (role === 'owner' ? 0 : 1);
}
