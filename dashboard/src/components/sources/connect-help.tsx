import type { ConnectedType } from '@gatehouse/contract/source-types';
import { Anchor, Code, List } from '@mantine/core';
import type { ComponentType } from 'react';
import { useTexts } from '../../languages/texts.tsx';

const helpOfTypes: Readonly<Record<ConnectedType, ComponentType>> = { notion: NotionHelp, list: ListHelp };

/** Where to find the token or the address of a workspace. */
export function ConnectHelp({ type }: { type: ConnectedType }) {
  const Help = helpOfTypes[type];
  return <Help />;
}

function ListHelp() {
  const t = useTexts('sources');
  return (
    <List size="sm" spacing={4}>
      <List.Item>{t('help.list.sheets')}</List.Item>
      <List.Item>{t('help.list.other')}</List.Item>
    </List>
  );
}

function NotionHelp() {
  const t = useTexts('sources');
  const integrations = 'notion.so/profile/integrations';
  const link = (
    <Anchor href={`https://www.${integrations}`} target="_blank" rel="noreferrer" underline="always">
      {integrations}
    </Anchor>
  );
  return (
    <List size="sm" spacing={4} type="ordered">
      <List.Item>{t.rich('help.notion.create', { link })}</List.Item>
      <List.Item>{t('help.notion.capabilities')}</List.Item>
      <List.Item>{t('help.notion.share')}</List.Item>
      <List.Item>{t.rich('help.notion.token', { example: <Code>ntn_…</Code> })}</List.Item>
    </List>
  );
}
