/** What the gate itself answers to a request that does not pass. */
export interface GateAnswer {
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
export const accessDenied: Message = {
  status: 403,
  code: 'access_denied',
  message: 'You are logged in, but have no access to this page.',
};
export const shutToAll: Message = { ...accessDenied, message: 'This page is not open to you.' };
export const invalidPath: Message = {
  status: 400,
  code: 'invalid_path',
  message: 'The address of this page is not written as a browser writes it.',
};
export const unavailable: Message = {
  status: 503,
  code: 'unavailable',
  message: 'Who may see this page cannot be found out at the moment. Try again soon.',
};
export const misdirected: Message = {
  status: 404,
  code: 'not_found',
  message: 'The web server in front of this site does not pass /_gatehouse/ on to Gatehouse.',
};

/** A page for people, JSON for programs. */
export function toAnswer(
  { status, code, message }: Message,
  forPeople: boolean,
  headers: Readonly<Record<string, string>> = {},
): GateAnswer {
  const type = forPeople ? 'text/html' : 'application/json';
  return {
    status,
    headers: { ...common, 'content-type': `${type}; charset=utf-8`, ...headers },
    body: forPeople ? toPage(message) : JSON.stringify({ error: { code, message } }),
  };
}

export function toRedirect(location: string): GateAnswer {
  return { status: 302, headers: { ...common, location }, body: '' };
}

/** What one visitor is told is not for the next. */
const common = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
};

function toPage(message: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${message}</title>
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem }</style>
<h1>${message}</h1>
`;
}
