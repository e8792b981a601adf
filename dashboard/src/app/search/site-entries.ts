import { placeKey } from '@gatehouse/contract/rule-paths';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { IconRoute, IconSettings, IconUsers } from '../../components/icons/icons.ts';
import { requestPageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { settingSections } from '../../pages/settings/sections.ts';
import { rulesQuery } from '../../queries/access/access-rules.ts';
import { siteKeys } from '../../queries/keys.ts';
import type { OperatedSite } from '../../session/dashboard-api.ts';
import { siteSession } from '../../session/site-session.ts';
import { usePermissionsOn } from '../../session/use-permissions-on.ts';
import { navigationItems } from '../shell/navigation-items.ts';
import type { SearchEntry } from './search-entry.ts';

const maxRules = 6;

/** The access rules for the typed path and below it, and those whose path includes it. */
export function useRuleEntries(site: OperatedSite | undefined, typed: string): SearchEntry[] {
  const t = useTexts('search');
  const navigate = useNavigate();
  const path = typed.trim().toLowerCase();
  const may = usePermissionsOn(site?.slug).includes('site:read');
  const enabled = site !== undefined && may && path.includes('/');
  const { data } = useQuery({
    ...rulesQuery(site && siteSession(site).gatehouse, siteKeys(site?.id)),
    enabled,
  });
  if (!enabled || !data) return [];
  return data.data
    .filter((rule) => rule.path.toLowerCase().includes(path))
    .sort((one, other) => one.path.length - other.path.length)
    .slice(0, maxRules)
    .map((rule) => ({
      key: placeKey(rule),
      label: t(rule.appliesTo === 'page' ? 'ruleOfPage' : 'rule', { path: rule.path }),
      description: rule.hosts?.join(', '),
      icon: IconRoute,
      run: () => {
        requestPageCommand('edit-rule', placeKey(rule));
        void navigate({ to: '/$site/rules', params: { site: site.slug } });
      },
    }));
}

/** The pages of the navigation. Other words for what is on them find them too. */
export function usePageEntries(site: OperatedSite | undefined): SearchEntry[] {
  const t = useTexts('shell');
  const search = useTexts('search');
  const navigate = useNavigate();
  const permissions = usePermissionsOn(site?.slug);
  if (!site) return [];
  return navigationItems
    .filter(({ permission }) => permissions.includes(permission))
    .map(({ name, to, keys, icon }) => {
      const words = `words.${name}`;
      return {
        key: name,
        label: t(name),
        keywords: search.has(words) ? search(words) : undefined,
        keys,
        icon,
        run: () => void navigate({ to, params: { site: site.slug } }),
      };
    });
}

/** The list of the members who have not confirmed their email address, as a login by email does. */
export function useUnverifiedEntry(site: OperatedSite | undefined): SearchEntry[] {
  const t = useTexts('search');
  const navigate = useNavigate();
  if (!usePermissionsOn(site?.slug).includes('members:read') || !site) return [];
  const open = () =>
    void navigate({ to: '/$site/members', params: { site: site.slug }, search: { verified: false } });
  return [
    {
      key: 'unverified',
      label: t('unverified'),
      keywords: t('words.unverified'),
      icon: IconUsers,
      run: open,
    },
  ];
}

/** The sections of the settings. What is in them finds them too. */
export function useSettingEntries(site: OperatedSite | undefined): SearchEntry[] {
  const t = useTexts('settings');
  const shell = useTexts('shell');
  const search = useTexts('search');
  const navigate = useNavigate();
  const permissions = usePermissionsOn(site?.slug);
  if (!site) return [];
  return settingSections
    .filter(({ permission }) => permissions.includes(permission))
    .map(({ name, fields }) => ({
      key: `setting-${name}`,
      label: t(`section.${name}`),
      description: shell('settings'),
      keywords: [search(`words.section.${name}`), ...fields.map((field) => t(field))].join(', '),
      icon: IconSettings,
      run: () =>
        void navigate({ to: '/$site/settings/$section', params: { site: site.slug, section: name } }),
    }));
}
