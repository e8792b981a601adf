import { Group } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { CodeBlock } from '../code/code-block.tsx';
import { CopyTextButton } from '../code/copy-button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { Hint } from '../layout/hint.tsx';
import { LinkText } from '../layout/links.tsx';

/** Where providers send people back to, which each of them has to know. Null for a site without a domain. */
export function RedirectUri({ uri }: { uri: string | null }) {
  const t = useTexts('login');
  if (uri === null) {
    const settings = (
      <LinkText from="/$site" to="/$site/settings/$section" params={{ section: 'hosts' }} underline="always">
        {t('settings')}
      </LinkText>
    );
    return <Notice state="attention">{t.rich('noDomain', { settings })}</Notice>;
  }
  return (
    <>
      <CodeBlock label={t('redirectUri')}>{uri}</CodeBlock>
      <Group mt="xs" gap="sm">
        <CopyTextButton text={uri} labels={{ copy: t('copy'), copied: t('copied') }} />
      </Group>
      {uri.startsWith('http:') && <Hint mt="xs">{t('httpProviders')}</Hint>}
    </>
  );
}
