import { isThisMachine } from '../../base/networks/this-machine.ts';
import { allowsPlainSmtp } from '../../jobs/email-delivery/smtp-encryption.ts';
import { formatHost, parsePostgresUrl, sslModeAt } from '../../storage/postgres/connections/postgres-url.ts';
import type { Settings } from './settings.ts';

/** A connection to another machine that is not encrypted, because a setting says so. */
export interface PlainConnection {
  /** The setting, by its name in the environment. */
  readonly setting: string;
  readonly host: string;
  /** What others in the network could read. */
  readonly content: string;
}

/** The connections to other machines that are not encrypted, or not always. */
export function findPlainConnections(settings: Settings): PlainConnection[] {
  const { databaseUrl, databaseDirectUrl, smtpUrl, redisUrl, notionUrl, tracesUrl, siteUpstream } = settings;
  return [
    ...plainDatabases('GATEHOUSE_DATABASE_URL', databaseUrl),
    ...plainDatabases('GATEHOUSE_DATABASE_DIRECT_URL', databaseDirectUrl),
    ...(smtpUrl !== undefined && allowsPlainSmtp(smtpUrl)
      ? plainUrl('GATEHOUSE_SMTP_URL', smtpUrl, 'smtp:', 'emails with login links')
      : []),
    ...plainUrl('GATEHOUSE_REDIS_URL', redisUrl, 'redis:', 'its password and the IP addresses of visitors'),
    ...plainUrl('GATEHOUSE_NOTION_URL', notionUrl, 'http:', 'tokens of workspaces'),
    ...plainUrl('GATEHOUSE_TRACES_URL', tracesUrl, 'http:', 'traces'),
    ...plainUrl('GATEHOUSE_SITE_UPSTREAM', siteUpstream, 'http:', 'pages of members'),
  ];
}

function plainDatabases(setting: string, text: string | undefined): PlainConnection[] {
  const url = text === undefined ? undefined : parsePostgresUrl(text);
  const isPlain = /^(?:disable|allow|prefer)$/;
  return (url?.hosts ?? [])
    .filter((host) => !isThisMachine(host.name) && isPlain.test(sslModeAt(url!, host)))
    .map((host) => ({ setting, host: formatHost(host), content: 'everything in the database' }));
}

function plainUrl(
  setting: string,
  text: string | undefined,
  plainProtocol: string,
  content: string,
): PlainConnection[] {
  const url = text === undefined ? null : URL.parse(text);
  if (url === null || url.protocol !== plainProtocol || isThisMachine(url.hostname)) return [];
  return [{ setting, host: url.host, content }];
}
