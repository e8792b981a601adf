import type { Member } from '@gatehouse/client';
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useGatehouse, useSite } from '../session/site.ts';

const typingMilliseconds = 150;
const mostMembers = 8;

export type PickedMember = Pick<Member, 'id' | 'email' | 'displayName'>;

interface MemberPickerProps extends Pick<SelectProps, 'label' | 'description' | 'placeholder'> {
  member: PickedMember | null;
  choose: (member: PickedMember | null) => void;
  nothingFound: string;
}

/** One member, found by typing a part of the name or address; or nobody. */
export function MemberPicker({ member, choose, nothingFound, ...props }: MemberPickerProps) {
  const [typed, setTyped] = useState('');
  const found = useMembers(typed === labelOf(member) ? '' : typed);
  // The chosen one stays, whatever is typed.
  const members = found.some(({ id }) => id === member?.id) || !member ? found : [member, ...found];
  return (
    <Select
      {...props}
      value={member?.id ?? null}
      onChange={(id) => choose(members.find((each) => each.id === id) ?? null)}
      data={members.map((each) => ({ value: each.id, label: labelOf(each) }))}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The service has filtered them already, by its own folding.
      filter={({ options }) => options}
      nothingFoundMessage={nothingFound}
      clearable
    />
  );
}

function labelOf(member: PickedMember | null): string {
  if (!member) return '';
  return member.displayName ? `${member.displayName} · ${member.email}` : member.email;
}

/** The members that match, the newest ones without a query; while they are on their way, those before. */
function useMembers(typed: string): readonly PickedMember[] {
  const site = useSite();
  const gatehouse = useGatehouse();
  const [query] = useDebouncedValue(typed.trim(), typingMilliseconds);
  const { data } = useQuery({
    queryKey: [site.id, 'members', 'search', query],
    queryFn: ({ signal }) =>
      gatehouse.members.list({ q: query || undefined, limit: mostMembers }, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  return data?.data ?? [];
}
