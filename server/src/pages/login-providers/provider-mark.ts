import { type Html, html } from '../../base/text/html.ts';
import type { LoginProviderType } from '../../domain/login-providers/login-provider.ts';

/** The mark of a provider beside its name, so that people find it at a glance. Drawn here: a page loads nothing of others. */
export function providerMark(type: LoginProviderType): Html {
  return html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">${drawings[type]}</svg>`;
}

const drawings: Readonly<Record<LoginProviderType, Html>> = {
  google: html`<g fill="none" stroke-width="4"><path stroke="#ea4335" d="M18.13 6.86A8 8 0 0 0 4.75 8.62"/><path stroke="#fbbc05" d="M4.75 8.62a8 8 0 0 0 0 6.76"/><path stroke="#34a853" d="M4.75 15.38a8 8 0 0 0 12.91 2.28"/><path stroke="#4285f4" d="M17.66 17.66A8 8 0 0 0 20 12h-8"/></g>`,
  microsoft: html`<path fill="#f25022" d="M2 2h9.5v9.5H2z"/><path fill="#7fba00" d="M12.5 2H22v9.5h-9.5z"/><path fill="#00a4ef" d="M2 12.5h9.5V22H2z"/><path fill="#ffb900" d="M12.5 12.5H22V22h-9.5z"/>`,
  github: html`<path fill="currentColor" fill-rule="evenodd" d="M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zM7 6.2c-.6 1.1-.6 2.3-.2 3.4-.7.9-1.1 1.9-1.1 3.1 0 3 1.9 4.5 4.6 4.8-.4.4-.6.9-.6 1.500v2.500h4.600V19c0-.6-.2-1.1-.6-1.5 2.7-.3 4.6-1.8 4.6-4.8 0-1.2-.4-2.2-1.1-3.1.4-1.1.4-2.3-.2-3.4-1.2.1-2.2.6-3.1 1.300a9 9 0 0 0-3.8 0C9.2 6.8 8.2 6.3 7 6.200z"/>`,
  apple: html`<path fill="currentColor" d="M12 7.400c-1.1-.5-2.2-1-3.5-1C5.7 6.4 3.8 8.9 3.8 12.500c0 4.7 3 9.5 5.5 9.5 1 0 1.6-.6 2.8-.6s1.7.6 2.8.6c2 0 4.1-2.9 5.1-6-1.8-.8-2.9-2.3-2.9-4.1 0-1.7.9-3 2.3-3.9-1-1-2.3-1.6-3.7-1.6-1.4 0-2.6.6-3.7 1z"/><path fill="currentColor" d="M15.7 1.600c.2 2.4-1.5 4.3-3.9 4.4-.2-2.3 1.7-4.2 3.9-4.400z"/>`,
  oidc: html`<g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><circle cx="7.5" cy="15.5" r="4.5"/><path d="M10.7 12.3 20 3m-4 4 3 3"/></g>`,
};
