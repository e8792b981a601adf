import type { FilledSite } from '../filled-site.ts';
import type { View } from './view.ts';

/** The sections of the settings that every site has. Login, with a sign of its own, is one of the pages with data. */
const settingSections = [
  'site',
  'hosts',
  'sign-up',
  'sessions',
  'look',
  'links',
  'texts',
  'headers',
  'mail',
  'danger',
];

/** The pages that every site has. */
export function sitePages(slug: string, signs: Record<string, string> = {}): View[] {
  const names = [
    'members',
    'add',
    'invitations',
    'join-requests',
    'groups',
    'sources',
    'rules',
    'events',
    'keys',
    'webhooks',
    ...settingSections.map((name) => `settings/${name}`),
    'emails',
    'operators',
  ];
  return [
    { name: 'overview', path: `/dashboard/${slug}`, sign: signs.overview },
    ...names.map((name) => ({
      name: name.replace('/', '-'),
      path: `/dashboard/${slug}/${name}`,
      sign: signs[name],
    })),
  ];
}

/** The pages of a site with data, and the drawers that have a URL. */
export function pagesOf({
  slug,
  memberId,
  groupId,
  sourceId,
  emailId,
  webhookId,
  invitationId,
  providerId,
}: FilledSite): View[] {
  const signs = {
    // The newest events are the logins of the tests themselves.
    overview: '@example.com',
    members: 'Rower Number',
    invitations: 'Autumn course',
    'join-requests': 'Grace Hopper',
    groups: 'Crew 2026',
    sources: 'Office',
    rules: 'booking',
    events: '@example.com',
    keys: 'Shop',
    webhooks: 'shop.example.org',
    emails: 'ada@example.com',
    operators: 'support@example.com',
  };
  return [
    ...sitePages(slug, signs),
    { name: 'page-codes', path: `/dashboard/${slug}/rules/codes`, sign: 'Choir' },
    { name: 'member', path: `/dashboard/${slug}/members/${memberId}`, sign: 'Crew 2026' },
    { name: 'invitation', path: `/dashboard/${slug}/invitations/${invitationId}`, sign: 'Autumn course' },
    {
      name: 'declined-requests',
      path: `/dashboard/${slug}/join-requests?status=declined`,
      sign: 'I row on Tuesdays.',
    },
    { name: 'group', path: `/dashboard/${slug}/groups/${groupId}`, sign: '@example.com' },
    { name: 'source', path: `/dashboard/${slug}/sources/${sourceId}`, sign: 'Staff of the university' },
    { name: 'webhook', path: `/dashboard/${slug}/webhooks/${webhookId}`, sign: 'Board' },
    {
      name: 'webhook-delivery',
      sign: 'webhook-id',
      prepare: (page) => page.locator('main tbody button').first().click(),
    },
    {
      name: 'webhook-settings',
      path: `/dashboard/${slug}/webhooks/${webhookId}`,
      prepare: (page) => page.locator('main section').last().locator('button').first().click(),
    },
    { name: 'set-up', path: `/dashboard/${slug}/sources/set-up?type=notion`, sign: 'ntn_' },
    { name: 'login-methods', path: `/dashboard/${slug}/settings/login`, sign: 'Club' },
    { name: 'login-provider', path: `/dashboard/${slug}/settings/login/${providerId}`, sign: '127.0.0.1' },
    {
      name: 'login-provider-new',
      path: `/dashboard/${slug}/settings/login/new?type=oidc`,
      sign: '/.well-known/openid-configuration',
    },
    { name: 'email', path: `/dashboard/${slug}/emails?email=${emailId}`, sign: 'ada@example.com' },
    { name: 'me', path: '/dashboard/me' },
    { name: 'sites', path: '/dashboard/sites', sign: 'Rowing Club' },
  ];
}
