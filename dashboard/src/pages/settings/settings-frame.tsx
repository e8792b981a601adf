import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { SectionedPage } from '../../components/page/sectioned-page.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { usePermissionsOfSite } from '../../session/site.ts';
import { type SectionName, settingSections } from './sections.ts';

interface SettingsFrameProps {
  section: SectionName;
  children: ReactNode;
}

/** The page of a section of the settings, beside the list of all sections. */
export function SettingsFrame({ section, children }: SettingsFrameProps) {
  const t = useTexts('settings');
  const { site } = useParams({ from: '/$site' });
  const permissions = usePermissionsOfSite();
  const sections = settingSections
    .filter(({ permission }) => permissions.includes(permission))
    .map(({ name }) => ({ name, label: t(`section.${name}`) }));
  return (
    <SectionedPage
      label={t('title')}
      sections={sections}
      current={section}
      toLink={(name) => ({ to: '/$site/settings/$section', params: { site, section: name } })}
    >
      <PageHeader title={t(`section.${section}`)} description={t(`about.${section}`)} />
      {children}
    </SectionedPage>
  );
}
