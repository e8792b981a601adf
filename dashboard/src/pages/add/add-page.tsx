import { Anchor, Tabs } from '@mantine/core';
import { IconClipboardText, IconFileSpreadsheet, IconLock, IconUserPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../languages/texts.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useMay, useSite } from '../../session/site.ts';
import { OnePerson } from './one-person.tsx';
import { PastedPeople } from './pasted-people.tsx';
import { PeopleFile } from './people-file.tsx';

/** Adds people: one, a few that are pasted, or a file of them. */
export function AddPage() {
  const t = useTexts('add');
  const { slug } = useSite();
  if (!useMay('members:write')) {
    return (
      <EmptyState icon={IconLock} title={t('mayNot')} order={1}>
        {t('mayNotText')}
      </EmptyState>
    );
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        back={
          <Anchor
            renderRoot={(props) => <Link to="/$site/members" params={{ site: slug }} {...props} />}
            size="sm"
            display="inline-block"
            mb="xs"
          >
            {t('back')}
          </Anchor>
        }
      />
      <Tabs defaultValue="one" keepMounted>
        <Tabs.List mb="md">
          <Tabs.Tab value="one" leftSection={<IconUserPlus size={16} aria-hidden />}>
            {t('tabOne')}
          </Tabs.Tab>
          <Tabs.Tab value="paste" leftSection={<IconClipboardText size={16} aria-hidden />}>
            {t('tabPaste')}
          </Tabs.Tab>
          <Tabs.Tab value="file" leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
            {t('tabFile')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="one">
          <OnePerson />
        </Tabs.Panel>
        <Tabs.Panel value="paste">
          <PastedPeople />
        </Tabs.Panel>
        <Tabs.Panel value="file">
          <PeopleFile />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
