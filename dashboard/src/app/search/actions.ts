import type { Permission } from '@gatehouse/client';
import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import type { Icon } from '../../components/icons/icon.tsx';
import {
  IconDeviceDesktop,
  IconFolderPlus,
  IconKey,
  IconKeyboard,
  IconLock,
  IconLogout,
  IconMailPlus,
  IconMoon,
  IconPlugConnected,
  IconRoute,
  IconSun,
  IconTicket,
  IconUserPlus,
  IconWebhook,
  IconWorldPlus,
} from '../../components/icons/icons.ts';
import { type PageCommand, requestPageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import type { OperatedSite } from '../../session/dashboard-api.ts';
import { logOut, useMe } from '../../session/me.ts';
import { usePermissionsOn } from '../../session/use-permissions-on.ts';
import type { SearchEntry } from './search-entry.ts';

interface SiteAction {
  readonly name:
    | 'addMembers'
    | 'invitePeople'
    | 'newGroup'
    | 'connectSource'
    | 'newRule'
    | 'newPageCode'
    | 'newKey'
    | 'newWebhook'
    | 'inviteOperator';
  readonly to: `/$site/${'add' | 'invitations' | 'groups' | 'sources' | 'rules' | 'rules/codes' | 'keys' | 'webhooks' | 'operators'}`;
  /** The command to run on that page; without one, only the page opens. */
  readonly command?: PageCommand;
  readonly permission: Permission;
  readonly icon: Icon;
}

const siteActions: readonly SiteAction[] = [
  { name: 'addMembers', to: '/$site/add', permission: 'members:write', icon: IconUserPlus },
  {
    name: 'invitePeople',
    to: '/$site/invitations',
    command: 'new-invitation',
    permission: 'invitations:write',
    icon: IconTicket,
  },
  {
    name: 'newGroup',
    to: '/$site/groups',
    command: 'new-group',
    permission: 'access-groups:write',
    icon: IconFolderPlus,
  },
  {
    name: 'connectSource',
    to: '/$site/sources',
    command: 'connect',
    permission: 'sources:write',
    icon: IconPlugConnected,
  },
  { name: 'newRule', to: '/$site/rules', command: 'new-rule', permission: 'site:write', icon: IconRoute },
  {
    name: 'newPageCode',
    to: '/$site/rules/codes',
    command: 'new-page-code',
    permission: 'site:write',
    icon: IconKey,
  },
  { name: 'newKey', to: '/$site/keys', command: 'new-key', permission: 'api-keys:write', icon: IconKey },
  {
    name: 'newWebhook',
    to: '/$site/webhooks',
    command: 'new-webhook',
    permission: 'webhooks:write',
    icon: IconWebhook,
  },
  {
    name: 'inviteOperator',
    to: '/$site/operators',
    command: 'invite',
    permission: 'operators:write',
    icon: IconMailPlus,
  },
];

/** Commands that need a name. Their entry types the beginning. */
const begunCommands = [
  { name: 'block', permission: 'members:block', icon: IconLock },
  { name: 'test', permission: 'members:read', icon: IconRoute },
  { name: 'add', permission: 'access-groups:write', icon: IconFolderPlus },
] as const satisfies readonly { name: string; permission: Permission; icon: Icon }[];

const themes: readonly { scheme: MantineColorScheme; name: 'light' | 'dark' | 'auto'; icon: Icon }[] = [
  { scheme: 'light', name: 'light', icon: IconSun },
  { scheme: 'dark', name: 'dark', icon: IconMoon },
  { scheme: 'auto', name: 'auto', icon: IconDeviceDesktop },
];

/** The actions available from any page: those of the site and those of the operator's account. */
export function useActions(site: OperatedSite | undefined): {
  ofSite: SearchEntry[];
  ofAccount: SearchEntry[];
} {
  const t = useTexts('shell');
  const navigate = useNavigate();
  const permissions = usePermissionsOn(site?.slug);
  const { mayCreateSites } = useMe();
  const begun = useBegunCommands(site);
  const otherThemes = useOtherThemes();

  const ofSite = siteActions
    .filter(({ permission }) => site && permissions.includes(permission))
    .map(({ name, to, command, icon }) => ({
      key: name,
      label: t(`action.${name}`),
      icon,
      run: () => {
        if (command) requestPageCommand(command);
        void navigate({ to, params: { site: site!.slug } });
      },
    }));
  const newSite = {
    key: 'newSite',
    label: t('newSite'),
    icon: IconWorldPlus,
    run: () => requestPageCommand('new-site'),
  };
  const sheet = {
    key: 'shortcuts',
    label: t('shortcuts'),
    keys: '?',
    icon: IconKeyboard,
    run: () => requestPageCommand('shortcuts'),
  };
  const leave = {
    key: 'logOut',
    label: t('logOut'),
    keywords: t('logOutKeywords'),
    icon: IconLogout,
    run: () => void logOut(false).catch(showFailure),
  };
  return {
    ofSite: [...ofSite, ...begun, ...(mayCreateSites ? [newSite] : [])],
    ofAccount: [sheet, ...otherThemes, leave],
  };
}

/** The commands that the operator may complete. */
function useBegunCommands(site: OperatedSite | undefined): SearchEntry[] {
  const t = useTexts('search');
  const permissions = usePermissionsOn(site?.slug);
  return begunCommands
    .filter(({ permission }) => site && permissions.includes(permission))
    .map(({ name, icon }) => ({
      key: `begin-${name}`,
      label: t(`begin.${name}`),
      description: t(`example.${name}`),
      keywords: t(`typed.${name}`),
      icon,
      begins: `${t(`typed.${name}`)} `,
      run: () => {},
    }));
}

/** One entry for each theme except the current one. */
function useOtherThemes(): SearchEntry[] {
  const t = useTexts('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return themes
    .filter(({ scheme }) => scheme !== colorScheme)
    .map(({ scheme, name, icon }) => ({
      key: `theme-${name}`,
      label: t(`theme.${name}`),
      keywords: t('theme'),
      icon,
      run: () => setColorScheme(scheme),
    }));
}
