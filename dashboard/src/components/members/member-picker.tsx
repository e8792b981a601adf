import type { Member } from '@gatehouse/client';
import { Select, type SelectProps } from '@mantine/core';
import { type Ref, useState } from 'react';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useMemberSearch } from '../../queries/members/member-search.ts';
import { useGatehouse, useSite } from '../../session/site.ts';

export type PickedMember = Pick<Member, 'id' | 'email' | 'displayName'>;

interface MemberPickerProps
  extends Pick<SelectProps, 'aria-label' | 'label' | 'description' | 'placeholder' | 'openOnFocus' | 'size'> {
  member: PickedMember | null;
  choose: (member: PickedMember | null) => void;
  nothingFound: string;
  ref?: Ref<HTMLInputElement>;
}

/** A field that finds one member by a part of the name or email address. */
export function MemberPicker({ member, choose, nothingFound, ...props }: MemberPickerProps) {
  const [typed, setTyped] = useState('');
  const site = useSite();
  const gatehouse = useGatehouse();
  const { members: found } = useMemberSearch(site.id, gatehouse, typed === labelOf(member) ? '' : typed);
  // The selected member stays selected while typing.
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
      // The server has already filtered them, by its own case folding.
      filter={({ options }) => options}
      nothingFoundMessage={nothingFound}
      clearable
    />
  );
}

function labelOf(member: PickedMember | null): string {
  if (!member) return '';
  const email = displayAddress(member.email);
  return member.displayName ? `${member.displayName} · ${email}` : email;
}
