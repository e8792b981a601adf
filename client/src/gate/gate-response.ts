/** The response of the gate to a request that it does not allow. */
export interface GateResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Message {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export const loginRequired: Message = { status: 401, code: 'login_required', message: 'Log in first.' };
export const pageCodeRequired: Message = {
  status: 401,
  code: 'page_code_required',
  message: 'Enter a page code first.',
};
export const accessDenied: Message = {
  status: 403,
  code: 'access_denied',
  message: 'You are logged in, but you do not have access to this page.',
};
export const deniedToAll: Message = { ...accessDenied, message: 'You do not have access to this page.' };
export const invalidPath: Message = {
  status: 400,
  code: 'invalid_path',
  message: 'The URL of this page is not valid.',
};
export const unavailable: Message = {
  status: 503,
  code: 'unavailable',
  message: 'Access is temporarily unavailable. Try again in a few seconds.',
};
export const misdirected: Message = {
  status: 404,
  code: 'not_found',
  message: 'The web server in front of this site does not forward /_gatehouse/ to Gatehouse.',
};

/** A page of the site on which a visitor can get access. */
export interface Link {
  readonly url: string;
  readonly text: string;
}

/** An HTML page for browsers, JSON for programs. */
export function toResponse(
  { status, code, message }: Message,
  asPage: boolean,
  { headers = {}, links = [] }: { headers?: Readonly<Record<string, string>>; links?: readonly Link[] } = {},
): GateResponse {
  const type = asPage ? 'text/html' : 'application/json';
  return {
    status,
    headers: { ...common, 'content-type': `${type}; charset=utf-8`, ...headers },
    body: asPage ? toPage(message, links) : JSON.stringify({ error: { code, message } }),
  };
}

export function toRedirect(location: string): GateResponse {
  return { status: 302, headers: { ...common, location }, body: '' };
}

/** The headers of every response. Responses depend on the visitor, so they must not be cached. */
const common = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
};

function toPage(message: string, links: readonly Link[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${message}</title>
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem }</style>
<h1>${message}</h1>
${links.map(({ url, text }) => `<p><a href="${escaped(url)}">${text}</a></p>\n`).join('')}`;
}

function escaped(url: string): string {
  return url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
