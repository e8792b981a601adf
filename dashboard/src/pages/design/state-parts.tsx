import { Group, SimpleGrid, Stack } from '@mantine/core';
import { GroupChips } from '../../components/access-groups/group-chips.tsx';
import { EndText } from '../../components/end-text.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { CopyId } from '../../components/layout/copy-id.tsx';
import { Section } from '../../components/layout/section.tsx';
import { Initials } from '../../components/people/initials.tsx';
import { StateText } from '../../components/state/state-text.tsx';
import { Tag } from '../../components/state/tag.tsx';
import { after, groups, people } from './samples.ts';

/** How states, people, groups and ends look. */
export function StateParts() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <Section title="States">
        <Stack gap="sm">
          <Group gap="lg">
            <StateText state="good">Active</StateText>
            <StateText state="attention">Ends soon</StateText>
            <StateText state="bad">Blocked</StateText>
            <StateText state="neutral">Expired</StateText>
            <Tag>You</Tag>
          </Group>
          <Notice state="good">The import is complete.</Notice>
          <Notice state="attention">Some memberships end this week.</Notice>
          <Notice state="bad">The last email was not sent.</Notice>
          <Notice state="neutral">The list is synchronized every hour.</Notice>
        </Stack>
      </Section>
      <Section title="People, groups and ends">
        <Stack gap="sm">
          <Group gap="xs">
            {people.map(({ id, name }) => (
              <Initials key={id} id={id} name={name} />
            ))}
            <Initials id="0" name="Ada Lovelace" size="sm" />
            <Initials id="0" name="Ada Lovelace" size="lg" />
          </Group>
          <GroupChips groups={groups} shown={2} />
          <Group gap="lg">
            <EndText at={after(9)} />
            <EndText at={after(400)} />
            <CopyId id="019ac0de-0000-7000-8000-00000000c0de" label="Member ID" />
          </Group>
        </Stack>
      </Section>
    </SimpleGrid>
  );
}
