import { LinkButton } from '../../components/layout/links.tsx';
import { Section } from '../../components/layout/section.tsx';
import { useTexts } from '../../languages/texts.tsx';

/** Leads to the ways to log in, which have a page of their own and are saved at once. */
export function LoginSection() {
  const t = useTexts('settings');
  return (
    <Section title={t('login')} description={t('loginHelp')}>
      <LinkButton variant="default" size="xs" from="/$site" to="/$site/settings/login">
        {t('loginOpen')}
      </LinkButton>
    </Section>
  );
}
