import { withInstalledName } from '../../base/installed-package.ts';
import { localDomain } from './first-start.ts';

/** What a start prints for people: where to go, and the secrets that are shown only once. */
export interface FirstSteps {
  readonly publicUrl: string;
  /** The URL where the first operator sets up the dashboard. */
  readonly dashboard: string;
  readonly firstKey: string | undefined;
  readonly siteUrl: string | undefined;
  readonly isSample: boolean;
  /** Whether a mail server is set. Without one, emails are shown with the log. */
  readonly sendsEmail: boolean;
}

/** Prints the first steps; as one line of JSON for a program. */
export function printFirstSteps(steps: FirstSteps, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(steps)}\n` : withInstalledName(firstSteps(steps)));
}

/** Prints the key of an installation that did not start. */
export function printFirstKey(firstKey: string, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify({ firstKey })}\n` : shownOnce(firstKey));
}

function firstSteps({ publicUrl, dashboard, firstKey, siteUrl, isSample, sendsEmail }: FirstSteps): string {
  const isNewSample = isSample && firstKey !== undefined;
  const site = siteUrl === undefined ? '' : siteHint(siteUrl, isNewSample && !sendsEmail);
  if (firstKey === undefined) return site + dashboardHint(dashboard);
  const login = loginHint(siteUrl ?? localUrl(publicUrl), sendsEmail);
  return site + dashboardHint(dashboard) + keyHint(publicUrl, firstKey, login);
}

/** @param hasMember whether there is a member whose email is shown here */
function siteHint(url: string, hasMember: boolean): string {
  const login = `  Log in there as ada@example.com. Until a mail server is set, the email is shown here.
`;
  return `
  Open your site: ${url}
${hasMember ? login : ''}`;
}

function dashboardHint(url: string): string {
  return `
  Open the dashboard: ${url}

`;
}

function shownOnce(key: string): string {
  return `  Your first site is ready. This is its API key. It is shown only once:

    ${key}
`;
}

/** At its public URL on this machine, Gatehouse also has the login page of the first site. */
function localUrl(publicUrl: string): string | undefined {
  return localDomain(publicUrl) === null ? undefined : publicUrl;
}

/** @param siteUrl where members log in; undefined as long as the site has no domain */
function loginHint(siteUrl: string | undefined, sendsEmail: boolean): string {
  if (siteUrl === undefined) {
    return 'Members log in at the domain of the site. Set it: ./gatehouse site update main --domain club.example.org';
  }
  const page = `${siteUrl}/_gatehouse/login`;
  return sendsEmail
    ? `Members log in at ${page}. To try it, create one with your own email address.`
    : `Log in as Alan at ${page}. Until a mail server is set, the email is shown here.`;
}

function keyHint(publicUrl: string, key: string, login: string): string {
  return `${shownOnce(key)}
  Create a member:

    curl -X POST ${publicUrl}/api/v1/members -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"email":"alan@example.com","displayName":"Alan Turing"}'

  ${login}

  API reference: ${publicUrl}/docs

`;
}
