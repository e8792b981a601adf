import { Anchor, Code, List } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';

/** Where to find the token or the address of a workspace. */
export function ConnectHelp({ type }: { type: 'notion' | 'list' }) {
  const t = useTexts('sources');
  if (type === 'list') {
    return (
      <List size="sm" spacing={4}>
        <List.Item>{t('help.list.sheets')}</List.Item>
        <List.Item>{t('help.list.other')}</List.Item>
      </List>
    );
  }
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
