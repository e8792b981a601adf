import { Code, Stack } from '@mantine/core';
import { Notice } from '../../../components/feedback/notice.tsx';
import { LinkText } from '../../../components/layout/links.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { Contact } from '../../../components/people/contact.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedSite } from '../../../queries/saved-site.ts';
import { useMay, useSite } from '../../../session/site.ts';
import { LogOutAll } from './log-out-all.tsx';

const neededPermissions = ['members:block', 'site:write', 'login-links:write'] as const;

/** What concerns all visitors at once. */
export function DangerSection() {
  const t = useTexts('settings');
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
      <OperatorSessions />
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
      <CloseSite />
    </Stack>
  );
}

/** Where the sessions of operators end, which stay when all members are logged out. */
function OperatorSessions() {
  const t = useTexts('settings');
  const shell = useTexts('shell');
  return (
    <Section title={t('operatorSessions')}>
      {t.rich('operatorSessionsHelp', {
        account: (
          <LinkText to="/me" inherit underline="always">
            {shell('me')}
          </LinkText>
        ),
        operators: (
          <LinkText from="/$site" to="/$site/operators" inherit underline="always">
            {shell('operators')}
          </LinkText>
        ),
      })}
    </Section>
  );
}

/** How the person at the server closes the site or opens it again, and whether it is closed. */
function CloseSite() {
  const t = useTexts('settings');
  const shell = useTexts('shell');
  const { slug } = useSite();
  const { data: saved } = useSavedSite();
  const isSuspended = saved?.data.status === 'suspended';
  return (
    <Section title={t('closeSite')}>
      {isSuspended && (
        <Notice state="attention" mb="sm">
          {t.rich('siteSuspended', { command: <Code>./gatehouse site resume {slug}</Code> })}
        </Notice>
      )}
      {t.rich('closeSiteHelp', {
        command: <Code>./gatehouse site suspend {slug}</Code>,
        rules: (
          <LinkText from="/$site" to="/$site/rules" inherit underline="always">
            {shell('rules')}
          </LinkText>
        ),
      })}
    </Section>
  );
}
