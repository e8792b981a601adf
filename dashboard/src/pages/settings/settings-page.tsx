import { useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { NotFoundPage } from '../../components/feedback/not-found-page.tsx';
import { DangerSection } from './danger/danger-section.tsx';
import { HeadersSection } from './headers/headers-section.tsx';
import { HostsSection } from './hosts/hosts-section.tsx';
import { LinksSection } from './links/links-section.tsx';
import { LookSection } from './look/look-section.tsx';
import { MailSection } from './mail/mail-section.tsx';
import type { SectionName } from './sections.ts';
import { SessionsSection } from './sessions/sessions-section.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { SignUpSection } from './sign-up/sign-up-section.tsx';
import { SiteSection } from './site/site-section.tsx';
import { TextsSection } from './texts/texts-section.tsx';

/** The sections of this page. The ways to log in have a page of their own. */
const sections: Readonly<Record<Exclude<SectionName, 'login'>, ComponentType>> = {
  site: SiteSection,
  hosts: HostsSection,
  'sign-up': SignUpSection,
  sessions: SessionsSection,
  look: LookSection,
  links: LinksSection,
  texts: TextsSection,
  headers: HeadersSection,
  mail: MailSection,
  danger: DangerSection,
};

/** One section of the settings of the site, as its URL says. */
export function SettingsPage() {
  const { section } = useParams({ from: '/$site/settings/$section' });
  if (!isSection(section)) return <NotFoundPage />;
  const Section = sections[section];
  return (
    <SettingsFrame section={section}>
      <Section />
    </SettingsFrame>
  );
}

function isSection(name: string): name is keyof typeof sections {
  return Object.hasOwn(sections, name);
}
