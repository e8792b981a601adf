import type { PageName } from './navigation-items.ts';

/** The pages that are not in the navigation of a site. */
type OtherPage =
  | 'add'
  | 'rules/codes'
  | 'settings/headers'
  | 'settings/hosts'
  | 'settings/links'
  | 'settings/login'
  | 'settings/mail'
  | 'settings/sessions'
  | 'settings/sign-up'
  | 'settings/texts'
  | 'me'
  | 'sites';

type PageWithHelp = PageName | OtherPage;

/** The page of the documentation, and its section, that fits each page of the dashboard. */
export const helpPages: Readonly<Record<PageWithHelp, string>> = {
  overview: 'guides/dashboard.html#a-site-step-by-step',
  members: 'guides/dashboard.html#daily-use',
  add: 'guides/dashboard.html#importing-a-list',
  invitations: 'guides/inviting-people.html#invite',
  'join-requests': 'guides/inviting-people.html#let-them-ask',
  groups: 'guides/dashboard.html#daily-use',
  sources: '#add-members-and-fill-groups',
  rules: 'guides/access-rules.html',
  'rules/codes': 'guides/inviting-people.html#a-code-for-a-page',
  events: 'guides/events.html',
  emails: 'guides/dashboard.html#daily-use',
  keys: 'guides/first-steps.html#use-it-from-programs',
  webhooks: 'guides/webhooks.html',
  operators: 'guides/dashboard.html#roles',
  settings: 'guides/dashboard.html#a-site-step-by-step',
  'settings/headers': 'guides/identity-headers.html',
  'settings/hosts': 'guides/several-hosts.html',
  'settings/links': 'guides/links-and-emails.html#links-for-visitors',
  'settings/login': 'guides/ways-to-log-in.html',
  'settings/mail': 'guides/links-and-emails.html#testing-the-mail-server',
  'settings/sessions': 'guides/tokens-for-programs.html',
  'settings/sign-up': 'guides/inviting-people.html',
  'settings/texts': 'guides/links-and-emails.html#texts-of-emails',
  me: 'security/operators.html#login',
  sites: 'guides/dashboard.html#several-sites',
};

/** The types of login providers whose set-up has a page of its own. */
const providerGuides = ['google', 'microsoft', 'github', 'apple'];

/**
 * The address of the documentation for a route of the dashboard, such as `/$site/members/$memberId`.
 * @param type the type of the login provider that is set up, if one is
 * @param section the section of the settings that is shown, if one is
 */
export function helpAddress(route: string, type?: string, section?: string): string {
  const [first, second = '', part, fourth] = route.split('/').slice(1);
  const third = part === '$section' ? section : part;
  if (third === 'login' && fourth === 'new' && type !== undefined && providerGuides.includes(type))
    return `/help/guides/login-with/${type === 'microsoft' ? 'microsoft-entra' : type}.html`;
  const name = first === '$site' ? second || 'overview' : first;
  const page = helpPages[`${name}/${third}` as PageWithHelp] ?? helpPages[name as PageWithHelp];
  return `/help/${page ?? ''}`;
}
