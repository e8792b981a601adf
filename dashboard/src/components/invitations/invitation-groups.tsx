import { useAccessGroups } from '../../queries/access-groups.ts';
import { GroupChips } from '../access-groups/group-chips.tsx';

interface InvitationGroupsProps {
  ids: readonly string[];
  /** How many are shown by name; all of them, in as many lines as they need, if left out. */
  shown?: number;
}

/** The access groups that an invitation gives. */
export function InvitationGroups({ ids, shown }: InvitationGroupsProps) {
  const { data: groups } = useAccessGroups();
  const nameOf = (id: string) => groups?.find((group) => group.id === id)?.name ?? (groups ? undefined : '…');
  const named = ids.flatMap((id) => {
    const name = nameOf(id);
    return name === undefined ? [] : [{ id, name }];
  });
  return <GroupChips groups={named} {...(shown !== undefined && { shown })} />;
}
