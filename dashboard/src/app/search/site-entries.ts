import { placeKey } from '@gatehouse/contract/rule-paths';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { IconRoute, IconSettings } from '../../components/icons/icons.ts';
import { requestPageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { rulesQuery } from '../../queries/access/access-rules.ts';
import { siteKeys } from '../../queries/keys.ts';
import type { OperatedSite } from '../../session/dashboard-api.ts';
import { siteSession } from '../../session/site-session.ts';
import { usePermissions } from '../../session/use-permissions.ts';
import type { SearchEntry } from './search-entry.ts';
import { showHeading } from './show-heading.ts';

const maxRules = 6;

/** The access rules for the typed path and below it, and those whose path includes it. */
export function useRuleEntries(site: OperatedSite | undefined, typed: string): SearchEntry[] {
  const t = useTexts('search');
  const navigate = useNavigate();
  const path = typed.trim().toLowerCase();
  const may = usePermissions(site?.slug).includes('site:read');
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

/** The sections of the settings. */
const settingSections = [
  'site',
  'hosts',
  'languages',
  'login',
  'signUp',
  'sessions',
  'look',
  'headers',
] as const;

export function useSettingEntries(site: OperatedSite | undefined): SearchEntry[] {
  const t = useTexts('settings');
  const shell = useTexts('shell');
  const navigate = useNavigate();
  const may = usePermissions(site?.slug).includes('site:read');
  if (!site || !may) return [];
  return settingSections.map((section) => ({
    key: `setting-${section}`,
    label: t(section),
    description: shell('settings'),
    icon: IconSettings,
    run: () =>
      void navigate({ to: '/$site/settings', params: { site: site.slug } }).then(() =>
        showHeading(t(section)),
      ),
  }));
}
