import type { Permission } from '@gatehouse/client';
import type { TextAreas } from '../../languages/areas.ts';

/** The sections of the settings, in the order of their list. */
export const settingSections = [
  {
    name: 'site',
    permission: 'site:read',
    fields: ['siteTitle', 'timeZone', 'languages', 'defaultLanguage', 'showsSetUpSteps'],
  },
  { name: 'hosts', permission: 'site:read', fields: ['domain', 'scheme', 'hosts'] },
  { name: 'login', permission: 'site:read', fields: ['about.login'] },
  {
    name: 'sign-up',
    permission: 'site:read',
    fields: ['about.sign-up', 'allowsAccessRequests', 'emailDomain'],
  },
  { name: 'sessions', permission: 'site:read', fields: ['maxSessions', 'membersCreateTokens'] },
  { name: 'look', permission: 'site:read', fields: ['color', 'logo', 'preview'] },
  {
    name: 'links',
    permission: 'site:read',
    fields: ['link.contact', 'link.upgrade', 'link.imprint', 'link.privacy'],
  },
  {
    name: 'texts',
    permission: 'site:read',
    fields: ['text.greeting', 'text.welcome', 'text.closing'],
  },
  { name: 'headers', permission: 'site:read', fields: ['signingKey', 'encoding', 'header.signed'] },
  {
    name: 'mail',
    permission: 'site:write',
    fields: ['mailFrom', 'mailTestSend', 'mailLastFailure'],
  },
  { name: 'danger', permission: 'site:read', fields: ['logOutAll', 'closeSite'] },
] as const satisfies readonly SettingSection[];

interface SettingSection {
  /** The last part of its URL. */
  readonly name: string;
  /** The permission without which the section is useless. */
  readonly permission: Permission;
  /** Texts of what is in it, by which the search finds it. */
  readonly fields: readonly (keyof TextAreas['settings'])[];
}

export type SectionName = (typeof settingSections)[number]['name'];
