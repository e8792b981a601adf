import type { Page } from 'playwright-core';
import type { FilledSite } from '../filled-site.ts';
import type { View } from './view.ts';

/** What is pressed, by its name: a button, a menu item, a check box or a radio button. A list of keys is pressed on the keyboard. */
type Step = string | RegExp | { readonly keys: string };

/** The dialogs and menus of the dashboard, in English, with what has to be pressed to open them. */
export function dialogsOf({
  slug,
  memberId,
  groupId,
  sourceId,
  webhookId,
  invitationId,
  providerId,
}: FilledSite): View[] {
  const page = (path: string, dialogs: Record<string, readonly Step[]>): View[] =>
    Object.entries(dialogs).map(([name, steps]) => ({
      name: `dialog-${name}`,
      path: `/dashboard/${slug}${path}`,
      isOverlay: true,
      prepare: (page) => pressEach(page, steps),
    }));
  return [
    ...page('', {
      search: [{ keys: 'Control+k' }],
      shortcuts: [{ keys: '?' }],
      sites: [/^Rowing Club/],
      'new-site': [/^Rowing Club/, 'New site'],
    }),
    ...page('/members', {
      filter: ['Filter'],
      columns: ['Columns'],
      'members-group': [/^Select /, 'Add to a group'],
      'members-delete': ['Actions', 'Delete'],
    }),
    ...page('/members?status=active', { views: ['Views'], 'view-save': ['Views', 'Save this view'] }),
    ...page(`/members/${memberId}`, {
      'member-group': ['Add to a group'],
      'member-token': ['Create a token'],
      'member-block': ['Block'],
      'member-delete': ['More actions', 'Delete'],
    }),
    ...page('/groups', { group: ['New group'] }),
    ...page(`/groups/${groupId}`, {
      'group-edit': ['Edit'],
      'group-delete': ['Delete'],
      'group-ends': [/^Select /, 'Change the last day'],
    }),
    ...page('/invitations', { invite: ['Invite people'] }),
    ...page(`/invitations/${invitationId}`, { 'invitation-edit': ['Edit'] }),
    ...page('/join-requests', { approve: [/^Approve Grace/] }),
    ...page('/sources', { source: ['Connect a source'] }),
    ...page(`/sources/${sourceId}`, {
      'source-settings': ['Change'],
      'source-delete': ['Delete the source'],
    }),
    ...page('/rules', {
      rule: ['Add a rule'],
      'rule-conditions': ['Edit the rule for /news/members-*'],
    }),
    ...page('/rules/codes', {
      code: ['New page code'],
      'code-edit': ['Actions for Class 7b', 'Edit'],
    }),
    ...page('/keys', {
      key: ['Create API key'],
      'key-choose': ['Create API key', 'Choose'],
      'key-rotate': [/^Actions for Shop/, 'Rotate'],
      'key-revoke': [/^Actions for Shop/, 'Revoke'],
    }),
    ...page('/webhooks', { webhook: ['Create webhook'] }),
    ...page(`/webhooks/${webhookId}`, {
      'webhook-settings': ['Change'],
      'webhook-secret': ['Replace secret'],
      'webhook-replay': ['Send events again'],
      'webhook-delete': ['Delete webhook'],
    }),
    ...page(`/settings/login/${providerId}`, { 'provider-settings': ['Change'] }),
    ...page('/operators', { operator: ['Invite'] }),
  ];
}

async function pressEach(page: Page, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === 'object' && 'keys' in step) await page.keyboard.press(step.keys);
    else await controlNamed(page, step).click();
  }
  await page.locator('#overlays :is([role=dialog], [role=menu])').first().waitFor();
}

function controlNamed(page: Page, name: string | RegExp) {
  const named = { name, exact: true };
  const roles = (['button', 'menuitem', 'checkbox', 'radio'] as const).map((role) =>
    page.getByRole(role, named),
  );
  return roles.reduce((one, other) => one.or(other)).first();
}
