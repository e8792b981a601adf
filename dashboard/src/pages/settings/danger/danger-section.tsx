import { Stack } from '@mantine/core';
import { LinkText } from '../../../components/layout/links.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { Contact } from '../../../components/people/contact.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useMay } from '../../../session/site.ts';
import { LogOutAll } from './log-out-all.tsx';

const neededPermissions = ['members:block', 'site:write', 'login-links:write'] as const;

/** What concerns all visitors at once. */
export function DangerSection() {
  const t = useTexts('settings');
  const shell = useTexts('shell');
  const mayLogOut = useMay(...neededPermissions);
  return (
    <Stack gap="xl">
      {mayLogOut ? (
        <LogOutAll />
      ) : (
        <Section title={t('logOutAll')} description={t('logOutAllHelp')}>
          <Contact needs={neededPermissions} isReadOnly />
        </Section>
      )}
      <Section title={t('changeHost')}>
        {t.rich('changeHostHelp', {
          hosts: (
            <LinkText
              from="/$site"
              to="/$site/settings/$section"
              params={{ section: 'hosts' }}
              inherit
              underline="always"
            >
              {t('section.hosts')}
            </LinkText>
          ),
        })}
      </Section>
      <Section title={t('closeSite')}>
        {t.rich('closeSiteHelp', {
          rules: (
            <LinkText from="/$site" to="/$site/rules" inherit underline="always">
              {shell('rules')}
            </LinkText>
          ),
        })}
      </Section>
    </Stack>
  );
}
