import type { AccessGroup, Member } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { IconFolderPlus, IconLock, IconLockOpen2, IconRoute } from '../../../components/icons/icons.ts';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { requestPageCommand } from '../../../hooks/use-page-command.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { siteKeys } from '../../../queries/keys.ts';
import { useMemberSearch } from '../../../queries/members/member-search.ts';
import { useGroupSearch } from '../../../queries/search.ts';
import type { OperatedSite } from '../../../session/dashboard-api.ts';
import { siteSession } from '../../../session/site-session.ts';
import { usePermissionsOn } from '../../../session/use-permissions-on.ts';
import { includes } from '../includes.ts';
import type { SearchEntry } from '../search-entry.ts';
import { parseCommand, type TypedCommand } from './parse-command.ts';
import { useAddToGroup } from './use-add-to-group.ts';

type KnownMember = Pick<Member, 'id' | 'email' | 'displayName' | 'status'>;

/** What the operator may have meant with a typed command such as `block ada`: one entry for each member found. */
export function useCommandEntries(site: OperatedSite | undefined, typed: string): SearchEntry[] {
  const permissions = usePermissionsOn(site?.slug);
  const command = site && permissions.includes('members:read') ? parseCommand(typed) : undefined;
  const members = useNamedMembers(site, command);
  const { groups } = useGroupSearch(
    site?.id,
    site && siteSession(site).gatehouse,
    command?.group ?? '',
    command?.group !== undefined,
  );
  const entriesFor = useEntriesFor(site);
  if (!command || !site) return [];
  if (command.name === 'test') return entriesFor.test(command, members);
  if (command.name === 'add') {
    if (!permissions.includes('access-groups:write')) return [];
    const custom = groups.filter(
      ({ type, name }) => type === 'custom' && includes(name, command.group ?? ''),
    );
    return members.flatMap((member) => custom.map((group) => entriesFor.add(member, group)));
  }
  if (!permissions.includes('members:block')) return [];
  const isBlocked = command.name === 'unblock';
  return members
    .filter(({ status }) => (status === 'blocked') === isBlocked)
    .map((member) => entriesFor.block(member, isBlocked));
}

/** The members that a command names, or else the member whose page is shown. */
function useNamedMembers(
  site: OperatedSite | undefined,
  command: TypedCommand | undefined,
): readonly KnownMember[] {
  const gatehouse = site && siteSession(site).gatehouse;
  const who = command?.who;
  const { members, isFormer } = useMemberSearch(site?.id, gatehouse, who ?? '', who !== undefined);
  const shown = useShownMember(site, command?.name === 'add' && who === undefined);
  if (who === undefined) return shown ? [shown] : [];
  // Of the previous results, only those that match now: Enter must not concern another member.
  return members.filter(
    ({ displayName, email }) => !isFormer || includes(`${displayName ?? ''} ${email}`, who),
  );
}

function useShownMember(site: OperatedSite | undefined, isNeeded: boolean): KnownMember | undefined {
  const { memberId } = useParams({ strict: false });
  const { data } = useQuery({
    queryKey: siteKeys(site?.id).members.name(memberId),
    queryFn: () => siteSession(site!).gatehouse.members.get(memberId!),
    enabled: isNeeded && site !== undefined && memberId !== undefined,
  });
  return isNeeded ? data : undefined;
}

/** Makes the entries of each command. */
function useEntriesFor(site: OperatedSite | undefined) {
  const t = useTexts('search');
  const navigate = useNavigate();
  const addToGroup = useAddToGroup(site);
  const params = { site: site?.slug ?? '' };
  const nameOf = ({ displayName, email }: KnownMember) => displayName ?? displayAddress(email);
  const addressOf = ({ displayName, email }: KnownMember) =>
    displayName === null ? undefined : displayAddress(email);

  /** Opens the page of the member, which requires the same confirmation as its button. */
  const block = (member: KnownMember, isBlocked: boolean): SearchEntry => ({
    key: `block-${member.id}`,
    label: t(isBlocked ? 'unblock' : 'block', { name: nameOf(member) }),
    description: addressOf(member),
    icon: isBlocked ? IconLockOpen2 : IconLock,
    run: () => {
      requestPageCommand(isBlocked ? 'unblock' : 'block', member.id);
      void navigate({ to: '/$site/members/$memberId', params: { ...params, memberId: member.id } });
    },
  });
  const add = (member: KnownMember, group: AccessGroup): SearchEntry => ({
    key: `add-${member.id}-${group.id}`,
    label: t('add', { name: nameOf(member), group: group.name }),
    description: addressOf(member),
    icon: IconFolderPlus,
    run: () => void addToGroup({ id: member.id, name: nameOf(member) }, group),
  });
  /** Opens the test of the access rules, with its fields filled in. */
  const test = ({ path = '/', who }: TypedCommand, members: readonly KnownMember[]): SearchEntry[] => {
    const open = (memberId?: string) =>
      void navigate({ to: '/$site/rules', params, search: { path, ...(memberId && { memberId }) } });
    const entry = { icon: IconRoute, description: undefined };
    if (who === undefined)
      return [{ ...entry, key: 'test', label: t('testAnonymous', { path }), run: () => open() }];
    return members.map((member) => ({
      ...entry,
      key: `test-${member.id}`,
      label: t('test', { path, name: nameOf(member) }),
      description: addressOf(member),
      run: () => open(member.id),
    }));
  };
  return { block, add, test };
}
