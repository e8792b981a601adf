import type { Member } from '@gatehouse/client';
import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { useGatehouse, useSite } from '../session/site.ts';
import { shownAddress } from './address.ts';
import { useMemberSearch } from './member-search.ts';

export type PickedMember = Pick<Member, 'id' | 'email' | 'displayName'>;

interface MemberPickerProps extends Pick<SelectProps, 'label' | 'description' | 'placeholder'> {
  member: PickedMember | null;
  choose: (member: PickedMember | null) => void;
  nothingFound: string;
}

/** One member, found by typing a part of the name or address; or nobody. */
export function MemberPicker({ member, choose, nothingFound, ...props }: MemberPickerProps) {
  const [typed, setTyped] = useState('');
  const site = useSite();
  const gatehouse = useGatehouse();
  const { members: found } = useMemberSearch(site.id, gatehouse, typed === labelOf(member) ? '' : typed);
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
  const email = shownAddress(member.email);
  return member.displayName ? `${member.displayName} · ${email}` : email;
}
