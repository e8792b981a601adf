import { Button, Checkbox, Text, TextInput } from '@mantine/core';
import { GroupChips } from '../../components/access-groups/group-chips.tsx';
import { EndText } from '../../components/end-text.tsx';
import { IconDots, IconFolders, IconSearch } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { Section } from '../../components/layout/section.tsx';
import { Toolbar } from '../../components/layout/toolbar.tsx';
import { Person } from '../../components/people/person.tsx';
import { StateText } from '../../components/state/state-text.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../components/tables/data-table.tsx';
import { after, groups, people } from './samples.ts';

const columns: readonly DataColumn[] = [
  { name: 'select', title: 'Select', width: 36, isUntitled: true },
  { name: 'name', title: 'Name' },
  { name: 'groups', title: 'Groups', width: 240, from: 'sm' },
  { name: 'state', title: 'Status', width: 110 },
  { name: 'end', title: 'Ends', width: 120 },
  { name: 'logins', title: 'Logins', width: 80, align: 'end', from: 'md' },
  { name: 'actions', title: 'Actions', width: 48, isUntitled: true },
];

/** A table with what is above it, and a list. */
export function ListParts() {
  return (
    <>
      <Section title="Table" action={<Button size="xs">Add</Button>}>
        <Toolbar>
          <TextInput
            aria-label="Search"
            placeholder="Search by name or email"
            leftSection={<IconSearch size={16} aria-hidden />}
          />
          <ActionButton label="Filter" />
        </Toolbar>
        <DataTable label="People" columns={columns}>
          {people.slice(0, 4).map((person, index) => (
            <PersonRow key={person.id} person={person} index={index} />
          ))}
        </DataTable>
      </Section>
      <Section title="List">
        <List label="Groups">
          {groups.slice(0, 2).map(({ id, name }) => (
            <ListRow
              key={id}
              leading={<IconFolders size={16} aria-hidden />}
              trailing="12 members"
              actions={<ActionButton size="xs" label="Edit" aria-label={`Edit ${name}`} />}
            >
              <Text fw={500}>{name}</Text>
            </ListRow>
          ))}
        </List>
      </Section>
    </>
  );
}

function PersonRow({ person, index }: { person: (typeof people)[number]; index: number }) {
  const { id, name, email } = person;
  const isBlocked = index === 2;
  return (
    <DataRow isSelected={index === 1} isActive={index === 3}>
      <DataCell holds="tick">
        <Checkbox size="xs" aria-label={`Select ${name}`} defaultChecked={index === 1} />
      </DataCell>
      <DataCell>
        <Person id={id} name={name} address={email} />
      </DataCell>
      <DataCell>
        <GroupChips groups={groups.slice(index)} shown={2} />
      </DataCell>
      <DataCell>
        <StateText state={isBlocked ? 'bad' : 'good'}>{isBlocked ? 'Blocked' : 'Active'}</StateText>
      </DataCell>
      <DataCell>
        <EndText at={after(9 + index * 20)} />
      </DataCell>
      <DataCell align="end" quiet>
        {index * 7}
      </DataCell>
      <DataCell holds="actions">
        <IconAction icon={IconDots} size="sm" label={`Actions for ${name}`} />
      </DataCell>
    </DataRow>
  );
}
